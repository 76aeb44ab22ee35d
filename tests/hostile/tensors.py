"""Tensors that declare one thing and hold another."""

import onnx
from onnx import TensorProto

from harness import ANY, Case, main, model


def weight(**fields):
    """y = x + w, where w is made of these fields."""
    made = model("g (float[4] x) => (float[4] y) { y = Add(x, w) }")
    tensor = made.graph.initializer.add(name="w")
    tensor.data_type = fields.pop("data_type", TensorProto.FLOAT)
    tensor.dims.extend(fields.pop("dims", [4]))
    for name, value in fields.items():
        if isinstance(value, list):
            getattr(tensor, name).extend(value)
        else:
            setattr(tensor, name, value)
    return made


def sparse(indices):
    made = model("g (float[4] x) => (float[4] y) { y = Add(x, w) }")
    tensor = made.graph.sparse_initializer.add(dims=[4])
    tensor.values.CopyFrom(onnx.helper.make_tensor("w", TensorProto.FLOAT, [1], [1.0]))
    tensor.indices.CopyFrom(onnx.helper.make_tensor("i", TensorProto.INT64, [1], indices))
    return made


SIZES = ("ST503",)
FOUR = b"\0" * 16
main([
    Case("4 bytes for 2^40 elements", weight(dims=[1 << 40], raw_data=b"\0" * 4), SIZES),
    Case("a negative extent", weight(dims=[-4], raw_data=FOUR), SIZES),
    Case("extents whose product overflows", weight(dims=[1 << 40, 1 << 40], raw_data=FOUR), SIZES),
    Case("an extent of 2^63 - 1", weight(dims=[(1 << 63) - 1], raw_data=FOUR), SIZES),
    Case("nothing of a huge extent", weight(dims=[0, (1 << 63) - 1]), ANY),
    Case("no data", weight(), SIZES),
    Case("too little data", weight(raw_data=FOUR[:-1]), SIZES),
    Case("too much data", weight(raw_data=FOUR + b"\0"), SIZES),
    Case("too much data, past what is kept in memory", weight(raw_data=b"\0" * 100_000), SIZES),
    Case("raw and typed data", weight(raw_data=FOUR, float_data=[1.0] * 4), SIZES),
    Case("data in a field that is not for the type", weight(int64_data=[1] * 4), SIZES),
    Case("FP16 in float_data", weight(data_type=TensorProto.FLOAT16, float_data=[1.0] * 4), SIZES),
    Case("an element type that is none", weight(data_type=77, raw_data=FOUR), SIZES),
    Case("no element type", weight(data_type=0, raw_data=FOUR), SIZES),
    Case("an odd number of 4-bit elements", weight(data_type=TensorProto.INT4, dims=[3], raw_data=b"\0"), SIZES),
    Case("weights are read from none of it", weight(dims=[1 << 40], raw_data=b"\0" * 4), SIZES,
         arguments=("--weights", "--as", "fp16")),
    Case("a sparse index past the end", sparse([9]), ANY),
])
