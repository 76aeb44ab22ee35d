"""Nodes that break the schema of their operator: every one is named, none reaches an inference function that trusts it."""

import onnx
from onnx import helper

from harness import ANY, Case, main, model

INVALID = ("ST515",)


def one(text):
    return model(f"g (float[1,3,8,8] x, float[4,3,3,3] w) => (float[a] y) {{ {text} }}")


def versions(ir=10, opset=21, domain=""):
    made = model("g (float[4] x) => (float[4] y) { y = Relu(x) }")
    made.ir_version = ir
    del made.opset_import[:]
    if opset is not None:
        made.opset_import.add(domain=domain, version=opset)
    return made


def attribute_twice():
    made = one("y = Transpose <perm = [0, 1, 2, 3]> (x)")
    made.graph.node[0].attribute.append(helper.make_attribute("perm", [3, 2, 1, 0]))
    return made


def a_lie():
    made = one("y = Transpose <perm = [0, 1, 2, 3]> (x)")
    made.graph.node[0].attribute[0].type = onnx.AttributeProto.GRAPH
    return made


def no_outputs():
    made = model("g (float[4] x) => (float[4] y) { z = Split <num_outputs = 1> (x) y = Relu(x) }")
    del made.graph.node[0].output[:]
    return made


def empty_body():
    made = model("g (bool c, float[4] x) => (float[4] y) { y = Relu(x) }")
    node = made.graph.node[0]
    node.op_type = "If"
    node.input[0] = "c"
    for name in ("then_branch", "else_branch"):
        node.attribute.append(onnx.AttributeProto(name=name, type=onnx.AttributeProto.GRAPH))
    return made


main([
    Case("Conv with stride 0", one("y = Conv <strides = [0, 0]> (x, w)"), INVALID),
    Case("Conv with a negative dilation", one("y = Conv <dilations = [-1, -1]> (x, w)"), ANY),
    Case("Conv without weights", one("y = Conv(x)"), INVALID),
    Case("Conv whose weights are left out", one("y = Conv(x, )"), INVALID),
    Case("Conv with weights of rank 4 and an input of rank 1",
         model("g (float[4] x, float[4,3,3,3] w) => (float[a] y) { y = Conv(x, w) }"), INVALID),
    Case("MaxPool with kernel 0", one("y = MaxPool <kernel_shape = [0, 0]> (x)"), ANY),
    Case("Split without outputs", no_outputs(), INVALID),
    Case("Split into none", one("y = Split <num_outputs = 0> (x)"), ANY),
    Case("LSTM of a wrong rank",
         model("g (float[4] x, float[1,16,4] w, float[1,16,4] r) => (float[a] y) { y = LSTM <hidden_size = 4> (x, w, r) }"),
         INVALID),
    Case("too many inputs", one("y = Relu(x, w)"), INVALID),
    Case("30,000 inputs", model("g (float[4] x) => (float[4] y) { y = Sum(" + ", ".join(["x"] * 30_000) + ") }"), ANY,
         cpu_s=10),
    Case("an attribute of a wrong kind", one('y = Transpose <perm = "abc"> (x)'), INVALID),
    Case("an attribute that the operator does not know", one("y = Relu <slope = 0.5> (x)"), INVALID),
    Case("an attribute twice", attribute_twice(), ("ST515", "ST502")),
    Case("an attribute that lies about its kind", a_lie(), INVALID),
    Case("branches that are empty", empty_body(), INVALID),
    Case("a permutation that is none", one("y = Transpose <perm = [0, 0, 9, -1]> (x)"), INVALID),
    Case("an axis far outside", one("y = Softmax <axis = 2147483647> (x)"), INVALID),
    Case("types that do not meet", model("g (float[4] x, double[4] z) => (float[4] y) { y = Add(x, z) }"), ("ST515", "PR338")),
    Case("a type that the operator does not take", model("g (string[4] x) => (float[4] y) { y = Exp(x) }"), INVALID),
    Case("shapes that do not meet", model("g (float[2,3] x, float[4,5] z) => (float[a,b] y) { y = MatMul(x, z) }"), INVALID),
    Case("two open extents of a Reshape",
         model("g (float[4] x) => (float[a,b] y) <int64[2] s = {-1, -1}> { y = Reshape(x, s) }"), INVALID),
    Case("an operator that is none", one("y = Mystery(x)"), INVALID),
    Case("a domain that is not imported", one("y = com.acme.Mystery(x)"), INVALID),
    Case("no opset at all", versions(opset=None), INVALID),
    Case("opset 0", versions(opset=0), ANY),
    Case("opset -1", versions(opset=-1), ANY),
    Case("opset 99", versions(opset=99), ("IO909",)),
    Case("IR version 0", versions(ir=0), ANY),
    Case("IR version 2^31", versions(ir=1 << 31), ("IO909",)),
])
