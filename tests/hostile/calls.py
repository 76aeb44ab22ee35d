"""Functions that call each other: circles, chains that double at every step, very many of them."""

from harness import ANY, Case, main, model

HEAD = '<ir_version: 10, opset_import: ["": 21, "f": 1]> g (float[4] x) => (float[4] y) { y = f.n0(x) } '
OWN = '<domain: "f", opset_import: ["": 21, "f": 1]> '


def functions(*bodies):
    return model(HEAD + " ".join(f"{OWN} n{i} (a) => (b) {{ {body} }}" for i, body in enumerate(bodies)))


def chain(count, each, last="b = Exp(a)"):
    return functions(*[each.format(next=f"f.n{i + 1}") for i in range(count)], last)


CIRCLE = ("ST501", "ST506", "IO904")
main([
    Case("a function that calls itself", functions("b = f.n0(a)"), CIRCLE),
    Case("two that call each other", functions("b = f.n1(a)", "b = f.n0(a)"), CIRCLE),
    Case("one that calls itself in a branch",
         functions("c = Cast <to = 9> (a) d = Squeeze(c) b = If (d) <then_branch = t () => (u) { u = f.n0(a) }, "
                   "else_branch = e () => (v) { v = Exp(a) }>"), CIRCLE),
    Case("a chain of 30 that doubles at each step", chain(30, "h = {next}(a) b = {next}(h)"), ("ST506", "IO904")),
    Case("a chain of 90 that doubles at each step", chain(90, "h = {next}(a) b = {next}(h)"), ("ST506", "IO904")),
    Case("a chain of 2,000", chain(2000, "b = {next}(a)"), ("IO904", "ST506"), cpu_s=20),
    Case("10,001 functions that nobody calls", functions(*["b = Exp(a)"] * 10_001), ("IO904",), cpu_s=20),
    Case("9,000 functions that nobody calls", functions(*["b = Exp(a)"] * 9_000), ANY, cpu_s=20),
])
