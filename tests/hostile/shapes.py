"""Shapes that ask for more memory than there is. They are judged by their numbers and never made."""

from harness import ANY, Case, main, model

LARGE = ("ST507", "IO904")


def doubling(steps):
    nodes = " ".join(f"v{i + 1} = Concat <axis = 0> (v{i}, v{i})" for i in range(steps))
    return model(f"g (float[4] x) => (float y) {{ v0 = Shape(x) {nodes} z = ConstantOfShape(v0) y = ReduceSum(z) }}")


def big(node, extra=""):
    return model(f"g (float[1] x) => (float[n] y) <int64[1] n = {{1000000000000}}{extra}> {{ {node} }}")


main([
    Case("ConstantOfShape of 10^12", big("y = ConstantOfShape(n)"), LARGE),
    Case("ConstantOfShape of 10^17",
         model("g () => (float[n] y) <int64[1] n = {100000000000000000}> { y = ConstantOfShape(n) }"), LARGE),
    Case("ConstantOfShape of a product that overflows",
         model("g () => (float[a,b] y) <int64[2] n = {9000000000000000000, 9000000000000000000}> { y = ConstantOfShape(n) }"),
         LARGE),
    Case("a negative ConstantOfShape",
         model("g () => (float[a] y) <int64[1] n = {-5}> { y = ConstantOfShape(n) }"), ("ST515", "ST504", "IO904")),
    Case("Expand", big("y = Expand(x, n)"), LARGE),
    Case("Tile", big("y = Tile(x, n)"), LARGE),
    Case("Range",
         model("g () => (int64[n] y) <int64 a = {0}, int64 b = {1000000000000}, int64 d = {1}> { y = Range(a, b, d) }"),
         LARGE),
    Case("a Range without steps",
         model("g () => (int64[n] y) <int64 a = {0}, int64 b = {10}, int64 d = {0}> { y = Range(a, b, d) }"), ANY),
    Case("Resize", model("g (float[1,1,4,4] x) => (float[a,b,c,d] y) <int64[4] n = {1, 1, 1000000000, 1000000000}> "
                         "{ y = Resize(x, , , n) }"), ANY),
    Case("OneHot of depth 2^62", model("g (int64[4] x) => (float[4,n] y) <int64 n = {4611686018427387904}, "
                                       "float[2] v = {0, 1}> { y = OneHot(x, n, v) }"), ANY),
    Case("a shape that doubles 40 times", doubling(40), ANY),
    Case("a shape that doubles 63 times", doubling(63), ANY),
    Case("a Pad of 10^12", model("g (float[4] x) => (float[n] y) <int64[2] p = {0, 1000000000000}> { y = Pad(x, p) }"), ANY),
    Case("a Loop of 2^63 - 1 trips",
         model("g (float[4] x) => (float[4] y) <int64 n = {9223372036854775807}, bool c = {1}> { y = Loop(n, c, x) "
               "<body = b (int64 i, bool d, float[4] a) => (bool e, float[4] z) { e = Identity(d) z = Exp(a) }> }"), ANY),
])
