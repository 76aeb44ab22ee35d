#include <catch2/catch_test_macros.hpp>

#include "model/attribute.hpp"
#include "model/load.hpp"
#include "model/patch.hpp"

namespace aegis {
namespace {

Model parse(std::string_view text) {
  auto model = parse_text(text);
  REQUIRE(model);
  return *std::move(model);
}
Result<Model> apply_one(const Model& model, std::vector<Edit> edits) {
  const Patch patch{.pass = "test", .label = "edit", .edits = std::move(edits)};
  return apply(model, {&patch, 1});
}

constexpr auto chain = "g (float[2,3] x) => (float[2,3] y) { a = Relu(x) b = Exp(a) y = Neg(b) }";

TEST_CASE("the index knows producers, uses and captured values") {
  const Model m = parse(R"(g (bool c, float[2] x) => (float[2] y) {
    a = Relu(x)
    y = If (c) <then_branch = t () => (float[2] u) { u = Neg(a) }, else_branch = e () => (float[2] v) { v = Exp(x) }>
  })");
  CHECK(m.scopes().size() == 3);
  const Value& a = m.value(m.find("a"));
  REQUIRE(a.uses.size() == 1);
  CHECK(m.scope(a.uses[0].scope).path == "/#1/then_branch");
  CHECK(m.node(a.producer).op == "Relu");
  CHECK(m.value(m.find("y")).output);
  CHECK(m.find("u", m.scopes()[1].id) != ValueId::none);
  CHECK(m.find("u") == ValueId::none);
}

TEST_CASE("what survives an edit keeps its id; new nodes are sorted into place") {
  const Model before = parse(chain);
  const NodeId exp = before.main().nodes[1];
  auto after = apply_one(before, {edit::InsertNode{.op = "Abs", .name = "abs", .inputs = {"a"}, .outputs = {"a2"}},
                                  edit::SetInput{.node = exp, .slot = 0, .value = "a2"}});
  REQUIRE(after);
  CHECK(before.main().nodes.size() == 3);
  REQUIRE(after->main().nodes.size() == 4);
  CHECK(after->node(after->main().nodes[1]).op == "Abs");
  CHECK(after->node(exp).op == "Exp");
  CHECK(after->find("b") == before.find("b"));
  CHECK(index(after->find("a2")) >= before.values().size());

  auto dropped = apply_one(
      *after, {edit::DropNode{.node = exp}, edit::SetInput{.node = before.main().nodes[2], .slot = 0, .value = "a2"}});
  REQUIRE(dropped);
  CHECK_FALSE(dropped->node(exp).alive);
  CHECK(dropped->main().nodes.size() == 3);
  CHECK_FALSE(dropped->value(before.find("b")).alive);
}

TEST_CASE("tensors and attributes are replaced, small ones stay readable for inference") {
  const Model before = parse("g (float[2,3] x, float[3,4] w) => (float[2,4] y) { y = Gemm<alpha = 0.5>(x, w) }");
  auto after = apply_one(
      before,
      {edit::SetAttribute{.node = NodeId{0}, .attribute = {.name = "alpha", .value = 2.0f}},
       edit::AddTensor{.name = "s", .source = TensorSource::owned(from_integers({1}, std::vector<std::int64_t>{7}))}});
  REQUIRE(after);
  CHECK(attribute(after->node(NodeId{0}), "alpha", 1.0f) == 2.0f);
  CHECK(attribute(before.node(NodeId{0}), "alpha", 1.0f) == 0.5f);
  const auto* s = after->constant(after->find("s"));
  REQUIRE(s != nullptr);
  CHECK(*to_integers(*s->read()) == std::vector<std::int64_t>{7});
}

TEST_CASE("edits that contradict each other or break the graph are refused") {
  const Model m = parse(chain);
  const NodeId exp = m.main().nodes[1];
  CHECK_FALSE(apply_one(
      m, {edit::SetInput{.node = exp, .slot = 0, .value = "x"}, edit::SetInput{.node = exp, .slot = 0, .value = "a"}}));
  CHECK_FALSE(apply_one(m, {edit::DropNode{.node = exp}}));                                       // y reads b
  CHECK_FALSE(apply_one(m, {edit::InsertNode{.op = "Abs", .inputs = {"x"}, .outputs = {"b"}}}));  // b twice
  CHECK_FALSE(apply_one(m, {edit::SetInput{.node = exp, .slot = 0, .value = "y"}}));              // a cycle
  CHECK_FALSE(apply_one(m, {edit::DropNode{.node = NodeId{99}}}));
}

TEST_CASE("fresh names avoid the model and each other") {
  const Model m = parse(chain);
  FreshNames names(m);
  CHECK(names.make("a") == "a_1");
  CHECK(names.make("a") == "a_2");
  CHECK(names.make("z") == "z");
  CHECK(names.make("z") == "z_1");
}

}  // namespace
}  // namespace aegis
