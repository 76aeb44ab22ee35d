#include "ops/infer.hpp"

#include <catch2/catch_test_macros.hpp>

#include "model/load.hpp"

namespace aegis {
namespace {

Model parse(std::string_view text) {
  auto model = parse_text(text);
  REQUIRE(model);
  return *std::move(model);
}
using Shape = std::vector<std::int64_t>;
std::optional<Shape> shape(const Model& m, const TypeTable& t, std::string_view name) {
  return t.of(m.find(name)).shape();
}

constexpr auto mlp =
    "g (float[N,4] x, float[4,3] w, float[3,2] v) => (float[N,2] y) { h = MatMul(x, w) a = Relu(h) y = MatMul(a, v) }";

TEST_CASE("symbols stay symbols until they are bound or assumed") {
  const Model m = parse(mlp);
  const auto open = infer(m, {});
  REQUIRE(open.of(m.find("a")).rank() == 2);
  CHECK((*open.of(m.find("a")).dims)[0].kind == Dim::Kind::symbol);
  CHECK((*open.of(m.find("a")).dims)[1].value() == 3);
  CHECK((*open.of(m.find("a")).dims)[0].divides(8) == Answer::unknown);
  CHECK(open.symbols.at(0).name == "N");

  const auto bound = infer(m, {.symbols = {{"N", 8}}});
  const Dim batch = (*bound.of(m.find("y")).dims)[0];
  CHECK(batch.value() == 8);
  CHECK(batch.origin == Dim::Origin::bound);
  CHECK(batch.depends == 1);
  CHECK((*bound.of(m.find("y")).dims)[1].depends == 0);

  const auto assumed = infer(m, {.assume = true});
  CHECK((*assumed.of(m.find("y")).dims)[0].origin == Dim::Origin::assumed);
  CHECK(assumed.symbols[0].assumed == 1);
}

TEST_CASE("shape arithmetic is followed: Shape, Gather, Concat, Reshape, Expand") {
  const Model m = parse(R"(g (float[6,4,5] x, float[1] one) => (float[r,c] y, float[6] z)
      <int64 zero = {0}, int64[1] minus = {-1}> {
    s = Shape(x) n = Gather(s, zero) u = Unsqueeze(n, axes) t = Concat<axis = 0>(u, minus)
    axes = Constant<value_ints = [0]>()
    y = Reshape(x, t)
    z = Expand(one, u)
  })");
  const auto t = infer(m, {});
  CHECK(shape(m, t, "y") == Shape{6, 20});
  CHECK(shape(m, t, "z") == Shape{6});
  CHECK(t.has_known[index(m.find("t"))]);
  CHECK(t.known[index(m.find("t"))] == std::vector<std::int64_t>{6, -1});
  CHECK(t.failures.empty());
}

TEST_CASE("assumed sizes are those for which no node refuses") {
  const Model m = parse(R"(g (float[1,S] x, float[32] p) => (float[1,S] y) { y = Add(x, p) })");
  const auto t = infer(m, {.assume = true});
  CHECK(t.failures.empty());
  CHECK(t.symbols.at(0).assumed == 32);
}

TEST_CASE("a node that fails, fails alone") {
  const Model m = parse(
      "g (float[2,3] x, float[5,4] w) => (float[2,3] y) { bad = MatMul(x, w) y = Relu(x) q = Mystery(x) r = MatMul(q, "
      "w) }");
  const auto t = infer(m, {});
  REQUIRE(t.failures.size() == 1);
  CHECK(m.node(t.failures[0].node).op == "MatMul");
  CHECK_FALSE(t.failures[0].message.empty());
  REQUIRE(t.without_schema.size() == 1);
  CHECK(shape(m, t, "y") == Shape{2, 3});
}

TEST_CASE("bodies of If, Loop and functions get types") {
  const Model branch = parse(R"(g (bool c, float[2,3] x) => (float[2,3] y) {
    y = If (c) <then_branch = t () => (float[2,3] u) { i = Exp(x) u = Neg(i) }, else_branch = e () => (float[2,3] v) { v = Exp(x) }> })");
  const auto t = infer(branch, {});
  CHECK(t.of(branch.find("i", ScopeId{1})).shape() == Shape{2, 3});
  CHECK(shape(branch, t, "y") == Shape{2, 3});

  const Model function = parse(R"(<ir_version: 10, opset_import: ["" : 21, "f" : 1]>
    g (float[2,3] x) => (float[2,3] y) { y = f.twice(x) }
    <domain: "f", opset_import: ["" : 21]> twice (a) => (b) { h = Exp(a) b = Add(h, h) })");
  const auto f = infer(function, {});
  CHECK(shape(function, f, "y") == Shape{2, 3});
  CHECK(f.without_schema.empty());

  const Model calls = parse(R"(<ir_version: 10, opset_import: ["" : 21, "f" : 1]>
    g (float[2,3] x, float[5] z) => (float[2,3] y, float[5] w) { y = f.twice(x) w = f.twice(z) }
    <domain: "f", opset_import: ["" : 21]> twice (a) => (b) { h = Exp(a) b = Add(h, h) })");
  const auto two = infer(calls, {});
  CHECK(shape(calls, two, "w") == Shape{5});
  CHECK(shape(calls, two, "y") == Shape{2, 3});
  CHECK(two.of(calls.find("h", ScopeId{1})).kind == ValueType::Kind::unknown);
}

TEST_CASE("an axis far outside the rank fails its node, before ONNX reads there") {
  const Model m = parse(
      "g (float[2,3] x, float[3] s) => (float[2,3] y) { y = LayerNormalization<axis = -259>(x, s) z = Softmax<axis = "
      "7>(x) }");
  CHECK(infer(m, {}).failures.size() == 2);
}

TEST_CASE("a function that doubles at every level is walked once a level") {
  std::string text =
      "<ir_version: 10, opset_import: [\"\" : 21, \"f\" : 1]> g (float[2,3] x) => (float[2,3] y) { y = f.f30(x) }\n";
  text += "<domain: \"f\", opset_import: [\"\" : 21]> f0 (a) => (b) { b = Exp(a) }\n";
  for (int i = 1; i <= 30; ++i)
    text += "<domain: \"f\", opset_import: [\"\" : 21, \"f\" : 1]> f" + std::to_string(i) + " (a) => (b) { h = f.f" +
            std::to_string(i - 1) + "(a) b = f.f" + std::to_string(i - 1) + "(h) }\n";
  const Model m = parse(text);
  const auto t = infer(m, {});
  CHECK(shape(m, t, "y") == Shape{2, 3});
  CHECK(t.nodes_inferred < 100);
}

TEST_CASE("integer tensors that grow past any shape are not followed") {
  std::string text = "g (int64[1] x) => (int64[n] y) { c0 = Constant<value_ints = [1]>()\n";
  for (int i = 1; i <= 40; ++i)
    text += "c" + std::to_string(i) + " = Concat<axis = 0>(c" + std::to_string(i - 1) + ", c" + std::to_string(i - 1) +
            ")\n";
  const Model m = parse(text + "y = Identity(c40) }");
  const auto t = infer(m, {});
  CHECK(shape(m, t, "c12") == Shape{4096});
  CHECK_FALSE(t.has_known[index(m.find("c20"))]);
}

TEST_CASE("one node is inferred alone, with data where it is known") {
  const Model m = parse("g (float[2,6] x, int64[2] s) => (float[a,b] y) { y = Reshape(x, s) }");
  const Node& node = m.node(m.main().nodes[0]);
  const Tensor target = from_integers({2}, std::vector<std::int64_t>{3, -1});
  const Tensor* constants[] = {nullptr, &target};
  const ValueType inputs[] = {ValueType::tensor_of(DType::f32, std::vector<std::int64_t>{2, 6}),
                              ValueType::tensor_of(DType::i64, std::vector<std::int64_t>{2})};
  const auto types = infer_node(m, node, inputs, constants);
  REQUIRE(types);
  CHECK((*types)[0].shape() == Shape{3, 4});
}

TEST_CASE("schema types tell variables, allowed types and versions") {
  const Model m =
      parse("g (float[2,3,4,4] x, float[5,3,1,1] w, float[5] b) => (float[2,5,4,4] y) { y = Conv(x, w, b) }");
  const Node& conv = m.node(m.main().nodes[0]);
  const auto bf16 = std::uint64_t{1} << static_cast<unsigned>(DType::bf16);
  const auto at21 = schema_types(conv, 21), at22 = schema_types(conv, 22);
  REQUIRE(at21);
  REQUIRE(at22);
  CHECK(at21->inputs.size() == 3);
  CHECK(at21->inputs[0].variable == at21->outputs[0].variable);
  CHECK((at21->inputs[0].allowed & bf16) == 0);
  CHECK((at22->inputs[0].allowed & bf16) != 0);
  CHECK(since_version(conv, 21) == 11);
  CHECK(since_version(conv, 22) == 22);
}

}  // namespace
}  // namespace aegis
