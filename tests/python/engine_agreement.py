"""Holds the CPU engine against ONNX Runtime: FP32 outputs within a relative L2 error of 1e-5.

engine_agreement.py digits: the network of the example on its held-out data.
engine_agreement.py models: three networks of $AEGIS_MODELS on random inputs; skipped where that folder is absent.
"""

import os
import pathlib
import sys
import tempfile

import numpy as np

from product import DIGITS, engine, heldout, onnx_runtime, rel_l2, skip

LIMIT = 1e-5
MODELS = {
    "dynamo_mnist.onnx": {"input": (1, 1, 28, 28)},
    "residual_block.onnx": {"gpu_0/data_0": (1, 3, 224, 224)},
    "selfattn_mnist_tf.onnx": {"input_1": (1, 28, 28, 1)},
}


def compare(model, feeds):
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = engine(model, feeds, folder), onnx_runtime(model, feeds)
    assert len(ours) == len(theirs), f"{model}: {len(ours)} outputs, ONNX Runtime gives {len(theirs)}"
    worst = 0.0
    for mine, other in zip(ours, theirs):
        assert mine.shape == other.shape and mine.dtype == other.dtype, f"{model}: {mine.shape} against {other.shape}"
        worst = max(worst, rel_l2(other, mine))
    print(f"{pathlib.Path(model).name}: relative L2 error {worst:.2e}")
    assert worst <= LIMIT, f"{model}: relative L2 error {worst:.2e}, at most {LIMIT:.0e} is allowed"


def main():
    if sys.argv[1] == "digits":
        return compare(DIGITS / "digits.onnx", {"image": heldout()[0]})
    folder = pathlib.Path(os.environ.get("AEGIS_MODELS", ""))
    if not all((folder / name).exists() for name in MODELS):
        skip("no folder of models: set AEGIS_MODELS")
    rng = np.random.default_rng(3)
    for name, inputs in MODELS.items():
        compare(folder / name, {k: rng.random(shape, np.float32) for k, shape in inputs.items()})


main()
