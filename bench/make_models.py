#!/usr/bin/env python3
"""Writes the large models that the benchmarks and the targets of speed speak of.

usage: make_models.py FOLDER KIND...

Weights are streamed to the file one at a time, so a 3.2 GB model needs a few MB of memory. Two runs write the same
bytes. Needs the `onnx` package.
"""
import array
import pathlib
import sys

import onnx
from onnx import TensorProto, helper

SIDE = (1024, 2048)  # a weight of FP32 takes 8 MiB
WEIGHT_BYTES = 4 * SIDE[0] * SIDE[1]
OPSETS = [helper.make_opsetid("", 18)]


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def head(field, length):
    """The tag and length of a length-delimited field."""
    return varint(field << 3 | 2) + varint(length)


def field(number, message):
    body = message.SerializeToString(deterministic=True)
    return head(number, len(body)) + body


def weight_rows():
    """One block of weights: small finite numbers of both signs, no zeros; every weight starts elsewhere in it."""
    period = 1 << 16
    values = array.array("f", (((i * 40503) % period - period / 2 + 0.5) / (8 * period) for i in range(period)))
    return values.tobytes() * (WEIGHT_BYTES // (4 * period) + 1)


def weight_bytes(rows, index):
    at = 4 * (index * 977 % (1 << 16))
    return memoryview(rows)[at:at + WEIGHT_BYTES]


def small(name, values):
    return helper.make_tensor(name, TensorProto.FLOAT, [len(values)] if len(values) > 1 else [], values)


def ints(name, values):
    return helper.make_tensor(name, TensorProto.INT64, [len(values)], values)


def blocks(count):
    """`count` blocks of MatMul, bias, normalisation as exporters write it, and Relu; a residual after every second."""
    nodes, tensors = [], [small("two", [2.0]), small("epsilon", [1e-5]), ints("axis", [-1])]
    stream = residual = "x"
    for i in range(count):
        base = f"/encoder/layer.{i // 2}/{('up', 'down')[i % 2]}"
        bias = f"encoder.layer.{i // 2}.{('up', 'down')[i % 2]}.bias"
        tensors.append(small(bias, [0.01] * SIDE[1 - i % 2]))

        first = len(nodes)

        def node(op, inputs):
            name = f"{base}/{op}_{len(nodes) - first}"
            nodes.append(helper.make_node(op, inputs, [name + "_output_0"], name=name))
            return name + "_output_0"

        y = node("MatMul", [stream, weight_name(i)])
        y = node("Add", [y, bias])
        mean = node("ReduceMean", [y, "axis"])
        centred = node("Sub", [y, mean])
        square = node("Pow", [centred, "two"])
        variance = node("ReduceMean", [square, "axis"])
        y = node("Div", [centred, node("Sqrt", [node("Add", [variance, "epsilon"])])])
        stream = node("Relu", [y])
        if i % 2 == 1:
            stream = residual = node("Add", [stream, residual])
    return nodes, tensors, stream


def weight_name(index):
    return f"encoder.layer.{index // 2}.{('up', 'down')[index % 2]}.weight"


def write_weights(path, count, external):
    """A model of `count` weights of 8 MiB, in the file itself or in one data file beside it."""
    nodes, tensors, last = blocks(count)
    width = SIDE[count % 2]
    rows = weight_rows()
    parts = [field(1, n) for n in nodes] + [head(2, 7) + b"encoder"] + [field(5, t) for t in tensors]
    weights = []
    for i in range(count):
        tensor = TensorProto(name=weight_name(i), data_type=TensorProto.FLOAT, dims=SIDE if i % 2 == 0 else SIDE[::-1])
        if external:
            tensor.data_location = TensorProto.EXTERNAL
            for key, value in (("location", path.stem + ".data"), ("offset", i * WEIGHT_BYTES), ("length", WEIGHT_BYTES)):
                tensor.external_data.add(key=key, value=str(value))
            parts.append(field(5, tensor))
        else:
            body = tensor.SerializeToString(deterministic=True) + head(9, WEIGHT_BYTES)
            weights.append(head(5, len(body) + WEIGHT_BYTES) + body)
    tail = (field(11, helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 128, SIDE[0]])) +
            field(12, helper.make_tensor_value_info(last, TensorProto.FLOAT, ["batch", 128, width])))
    size = sum(map(len, parts)) + sum(len(w) + WEIGHT_BYTES for w in weights) + len(tail)
    with open(path, "wb") as out:
        shell = onnx.ModelProto(ir_version=10, producer_name="make_models", opset_import=OPSETS)
        out.write(shell.SerializeToString(deterministic=True) + head(7, size))
        out.writelines(parts)
        for i, w in enumerate(weights):
            out.write(w)
            out.write(weight_bytes(rows, i))
        out.write(tail)
    if external:
        with open(path.with_suffix(".data"), "wb") as out:
            for i in range(count):
                out.write(weight_bytes(rows, i))


def write_nodes(path, count):
    """A chain of `count` nodes over three small weights."""
    rows = [0.01 * (i % 7 - 3) for i in range(256 * 256)]
    tensors = [helper.make_tensor(f"encoder.{n}.weight", TensorProto.FLOAT, [256, 256], rows) for n in ("query", "out")]
    tensors.append(small("encoder.bias", [0.01] * 256))
    nodes, stream = [], "x"
    for i in range(count):
        op = ("MatMul", "Add", "Relu")[i % 3]
        inputs = [[stream, tensors[i // 3 % 2].name], [stream, "encoder.bias"], [stream]][i % 3]
        out = f"/encoder/layer.{i // 12}/attention/{op}_{i % 12}_output_0"
        nodes.append(helper.make_node(op, inputs, [out], name=f"/encoder/layer.{i // 12}/attention/{op}_{i % 12}"))
        stream = out
    graph = helper.make_graph(nodes, "encoder", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 128, 256])],
                              [helper.make_tensor_value_info(stream, TensorProto.FLOAT, ["batch", 128, 256])], tensors)
    path.write_bytes(helper.make_model(graph, opset_imports=OPSETS, ir_version=10).SerializeToString(deterministic=True))


KINDS = {
    "weights_1g6": lambda path: write_weights(path, 192, False),           # 1.6 GB in one file, 2,016 nodes
    "weights_1g6_external": lambda path: write_weights(path, 192, True),   # the same with a data file
    "weights_3g2": lambda path: write_weights(path, 384, False),           # more than protobuf reads
    "nodes_10k": lambda path: write_nodes(path, 10_000),
    "nodes_100k": lambda path: write_nodes(path, 100_000),
}


def main():
    folder, kinds = (sys.argv[1], sys.argv[2:]) if len(sys.argv) > 2 else (None, [])
    if folder is None or any(kind not in KINDS for kind in kinds):
        sys.exit(__doc__ + "\nkinds: " + " ".join(KINDS))
    for kind in kinds:
        path = pathlib.Path(folder) / f"{kind}.onnx"
        path.parent.mkdir(parents=True, exist_ok=True)
        KINDS[kind](path)
        print(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
