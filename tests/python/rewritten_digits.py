"""Rewrites the digits network and reads the result with ONNX's own tools. rewritten_digits.py pad|bf16"""

import pathlib
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto

from product import DIGITS, aegis, engine, heldout, onnx_runtime, rel_l2, valid

BEFORE = DIGITS / "digits.onnx"


def interface(model):
    return [(v.name, v.type.SerializeToString()) for v in (*model.graph.input, *model.graph.output)]


def rewrite(folder, *options):
    after = pathlib.Path(folder, "after.onnx")
    document = aegis("rewrite", BEFORE, "-o", after, *options, "--check", "never")
    again = pathlib.Path(folder, "again.onnx")
    aegis("rewrite", after, "-o", again, *options, "--check", "never")
    assert again.read_bytes() == after.read_bytes(), "a second rewrite changed the file again"
    return after, document


def pad(folder):
    after, _ = rewrite(folder, "--pad=always", "--pad-to", "8")
    model = valid(after)
    assert interface(model) == interface(onnx.load(BEFORE)), "the graph's inputs or outputs changed"
    for tensor in model.graph.initializer:
        if len(tensor.dims) in (2, 4):
            inner = [d for d in tensor.dims[:2] if d not in (1, 10)]  # 1 channel in, 10 classes out: the public border
            assert all(d % 8 == 0 for d in inner), f"{tensor.name} {list(tensor.dims)} is not padded"
    images, _ = heldout()
    before = onnx_runtime(BEFORE, {"image": images})[0]
    error = rel_l2(before, onnx_runtime(after, {"image": images})[0])
    print(f"ONNX Runtime, before against after: relative L2 error {error:.2e}")
    assert error <= 2e-6
    ours = [engine(m, {"image": images}, pathlib.Path(folder, m.stem))[0] for m in (BEFORE, after)]
    assert np.array_equal(*ours), "the CPU engine gives other numbers for the padded file"


def bf16(folder):
    after, document = rewrite(folder, "--bf16")
    model = valid(after)
    assert interface(model) == interface(onnx.load(BEFORE)), "the graph's inputs or outputs changed"
    types = [t.data_type for t in model.graph.initializer if len(t.dims) >= 2]
    narrow = types.count(TensorProto.BFLOAT16)
    print(f"{narrow} of {len(types)} weight matrices are BF16")
    assert narrow >= 3, document["models"][0]["precision"]
    images, labels = heldout()
    before, now = (engine(m, {"image": images}, pathlib.Path(folder, m.stem))[0] for m in (BEFORE, after))
    error = rel_l2(before, now)
    right = [float((x.argmax(1) == labels).mean()) for x in (before, now)]
    print(f"relative L2 error {error:.2e}, top-1 {right[0]:.4f} before, {right[1]:.4f} after")
    assert error < 10 ** (-25 / 20) and right[1] >= 0.97


with tempfile.TemporaryDirectory() as folder:
    {"pad": pad, "bf16": bf16}[sys.argv[1]](folder)
