"""Names: twice the same, empty, very long, no text at all, or text that another program would obey."""

from harness import ANY, Case, main, model

TEXT = ("ST512",)


def named(name, where="node"):
    made = model("g (float[4] x) => (float[4] y) { z = Exp(x) y = Relu(z) }")
    if where == "node":
        made.graph.node[0].name = name
    else:
        made.graph.node[0].output[0] = made.graph.node[1].input[0] = name
    return made


def bytes_named(raw):
    """A name that the protobuf package would not take."""
    mark = "Q" * len(raw)
    return named(mark).SerializeToString().replace(mark.encode(), raw)


def initializers():
    made = model("g (float[1] x) => (float[1] y) <float[1] w = {1}> { y = Add(x, w) }")
    made.graph.initializer.append(made.graph.initializer[0])
    return made


def opsets():
    made = named("n")
    made.opset_import.add(domain="", version=20)
    return made


main([
    Case("two producers", model("g (float[4] x) => (float[4] y) { y = Exp(x) y = Relu(x) }"), ("ST502",)),
    Case("an output that is an input", model("g (float[4] x) => (float[4] y) { x = Exp(x) y = Relu(x) }"),
         ("ST502", "ST501")),
    Case("two initializers", initializers(), ("ST502",)),
    Case("two opsets of one domain", opsets(), ("ST502", "ST515")),
    Case("a name that nothing defines", model("g (float[4] x) => (float[4] y) { y = Add(x, q) }"), ("ST501",)),
    Case("a name of a branch, read outside",
         model("g (bool c, float[4] x) => (float[4] z) { y = If (c) <then_branch = t () => (float[4] a) { a = Relu(x) }, "
               "else_branch = e () => (float[4] b) { b = Exp(x) }> z = Add(y, a) }"), ("ST501",)),
    Case("an empty output", named("", "value"), ANY),
    Case("a name of 1 MiB", named("n" * (1 << 20)), ("IO904",)),
    Case("a name of 60 KiB", named("n" * 60_000), ANY),
    Case("no UTF-8", bytes_named(b"\xff\xfe\xc0\x80"), TEXT),
    Case("a surrogate", bytes_named(b"\xed\xa0\x80a"), TEXT),
    Case("terminal control", named("\x1b]0;owned\x07\x1b[2J"), TEXT),
    Case("NUL", named("a\0b"), TEXT),
    Case("a turn of direction", named("safe\u202e\u2066txt"), TEXT),
    Case("no width", named("a\u200bb"), TEXT),
    Case("two scripts in one word", named("p\u0430yload"), TEXT),
    Case("a whole word of another script", named("\u043c\u043e\u0434\u0435\u043b\u044c"), ()),
    Case("a line for a CI log", named("x\n::error::owned"), TEXT),
    Case("a formula", named("=cmd|' /C calc'!A0"), ANY),
    Case("a script", named("</script><script>alert(1)</script>"), ANY),
])
