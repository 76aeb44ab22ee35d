#include "model/order.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "model/load.hpp"

using namespace aegis;

static Model parse(std::string_view text) {
  auto model = parse_text(text);
  REQUIRE(model);
  return *std::move(model);
}

static std::string names(const Model& model, const std::vector<NodeId>& nodes) {
  std::string out;
  for (const NodeId id : nodes) out += std::string(model.node(id).name) + ' ';
  return out;
}

TEST_CASE("a sorted graph keeps its order, an unsorted one is sorted with as little change as that takes") {
  const Model sorted = parse("g (float[4] x) => (float[4] y) { [b] z = Exp(x) [a] y = Relu(z) }");
  const auto kept = dependency_order(sorted, sorted.main());
  CHECK(names(sorted, kept.nodes) == "b a ");
  CHECK(kept.early.empty());
  CHECK(kept.circle.empty());

  const Model unsorted = parse("g (float[4] x) => (float[4] y) { [a] y = Relu(z) [c] q = Neg(x) [b] z = Exp(x) }");
  const auto order = dependency_order(unsorted, unsorted.main());
  CHECK(names(unsorted, order.nodes) == "c b a ");
  REQUIRE(order.early.size() == 1);
  CHECK(unsorted.node(order.early[0].first).name == "a");
  CHECK(unsorted.value(order.early[0].second).name == "z");
}

TEST_CASE("a circle is told without the nodes that only hang on it") {
  const Model model = parse(
      "g (float[4] x) => (float[4] y) { [before] p = Exp(x) [a] r = Add(p, t) [b] s = Neg(r) [c] t = Relu(s) "
      "[after] y = Exp(t) }");
  const auto order = dependency_order(model, model.main());
  CHECK(names(model, order.nodes) == "before ");
  CHECK(names(model, order.circle) == "a c b ");  // each reads from the one after it

  const Model self = parse("g (float[4] x) => (float[4] y) { [a] y = Add(x, y) }");
  CHECK(names(self, dependency_order(self, self.main()).circle) == "a ");
}

TEST_CASE("what a body captures counts as read by its owner") {
  const Model model = parse(
      "g (bool c, float[4] x) => (float[4] y) { [if] y = If (c) <then_branch = t () => (float[4] a) { a = Relu(z) }, "
      "else_branch = e () => (float[4] b) { b = Exp(x) }> [late] z = Neg(x) }");
  CHECK(names(model, dependency_order(model, model.main()).nodes) == "late if ");
}

TEST_CASE("the order of a graph that stands backwards takes no square of its nodes") {
  std::string text = "g (float[4] x) => (float[4] y) {";
  constexpr int count = 20000;
  for (int i = count; i > 0; --i)
    text += (i == count ? " y" : " v" + std::to_string(i)) + " = Relu(" + (i == 1 ? "x" : "v" + std::to_string(i - 1)) +
            ")";
  const Model model = parse(text + "}");
  const auto order = dependency_order(model, model.main());
  CHECK(order.nodes.size() == count);
  CHECK(order.early.size() == count - 1);
}
