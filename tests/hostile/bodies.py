"""Bodies inside bodies, very long graphs, a value that everybody reads."""

from onnx import TensorProto, helper

from harness import ANY, CLEAN, Case, main


def made(nodes, inputs=(("c", TensorProto.BOOL, []), ("x", TensorProto.FLOAT, [4])), output="y"):
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info(*i) for i in inputs],
                              [helper.make_tensor_value_info(output, TensorProto.FLOAT, [4])])
    return helper.make_model(graph, ir_version=10, opset_imports=[helper.make_opsetid("", 21)])


def body(nodes, output):
    return helper.make_graph(nodes, "b", [], [helper.make_tensor_value_info(output, TensorProto.FLOAT, [4])])


def nested(depth):
    """An If in an If ..., a live branch beside each."""
    node, name = helper.make_node("Relu", ["x"], ["v0"]), "v0"
    for level in range(1, depth + 1):
        other = helper.make_node("Exp", ["x"], [f"e{level}"])
        node, name = helper.make_node("If", ["c"], [f"v{level}"], then_branch=body([node], name),
                                      else_branch=body([other], f"e{level}")), f"v{level}"
    node.output[0] = "y"
    return made([node])


def chain(count):
    names = ["x"] + [f"v{i}" for i in range(1, count)] + ["y"]
    return made([helper.make_node("Relu", [names[i]], [names[i + 1]]) for i in range(count)])


def backwards(count):
    model = chain(count)
    nodes = list(model.graph.node)[::-1]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


def fan_out(count):
    nodes = [helper.make_node("Exp", ["x"], [f"v{i}"]) for i in range(count)]
    return made(nodes + [helper.make_node("Relu", ["x"], ["y"])])


def circle(count):
    model = chain(count)
    model.graph.node[0].input[0] = "y"
    return model


main([
    Case("31 nested bodies", lambda _: nested(31), ANY),
    Case("20 nested Ifs with two live branches", lambda _: nested(20), ANY),
    Case("a chain of 100,000 nodes", lambda _: chain(100_000), ANY, cpu_s=20, memory_mib=2048),
    Case("100,000 nodes backwards", lambda _: backwards(100_000), ("ST501",), cpu_s=20, memory_mib=1024),
    Case("a circle of 100,000 nodes", lambda _: circle(100_000), ("ST501",), cpu_s=20, memory_mib=1024),
    Case("one value with 200,000 readers", lambda _: fan_out(200_000), ANY, cpu_s=20, memory_mib=2048),
])
