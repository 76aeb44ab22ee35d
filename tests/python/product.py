"""What the Python tests share: the binary under test, its documents, and how to say that a test was skipped."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import numpy_helper

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = os.environ.get("AEGIS_BINARY", str(ROOT / "build/aegis"))
DIGITS = ROOT / "examples/digits"


def skip(reason):
    """Ends the test as skipped (ctest's SKIP_RETURN_CODE)."""
    print("skipped:", reason)
    sys.exit(77)


def aegis(*arguments, expect=(0,)):
    """Runs the binary and returns its JSON document; any other exit code fails the test with what was printed."""
    command = [BINARY, *map(str, arguments), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode not in expect:
        sys.exit(f"{' '.join(command)}\nexit {done.returncode}, expected {expect}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return json.loads(done.stdout)


def engine(model, feeds, folder):
    """Outputs of `aegis run --engine cpu`, in the order of the graph's outputs. feeds: name -> array."""
    folder = pathlib.Path(folder)
    inputs, outputs = folder / "inputs", folder / "outputs"
    inputs.mkdir(parents=True)
    for position, value in enumerate(onnx.load(model, load_external_data=False).graph.input):
        if value.name in feeds:
            tensor = numpy_helper.from_array(feeds[value.name], value.name)
            (inputs / f"input_{position}.pb").write_bytes(tensor.SerializeToString())
    aegis("run", model, "--engine", "cpu", "--inputs", inputs, "--out", outputs)
    found = sorted(outputs.rglob("output_*.pb"), key=lambda f: int(f.stem.split("_")[1]))
    return [numpy_helper.to_array(onnx.TensorProto.FromString(f.read_bytes())) for f in found]


def onnx_runtime(model, feeds):
    """The same by ONNX Runtime, one thread, no graph optimisation."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"]).run(None, feeds)


def rel_l2(reference, other):
    """|reference - other| / |reference| over all elements, in double."""
    reference, other = (np.asarray(x, np.float64) for x in (reference, other))
    return float(np.linalg.norm(reference - other) / (np.linalg.norm(reference) or 1.0))


def heldout():
    """(images, labels) of the digits that training never saw."""
    return np.load(DIGITS / "heldout.npz")["image"], np.load(DIGITS / "labels.npy")


def valid(path):
    """The model, after ONNX's full checker and strict type and shape inference."""
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    return onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
