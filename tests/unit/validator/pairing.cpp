#include "validator/compare/pairing.hpp"

#include <catch2/catch_test_macros.hpp>

#include "model/load.hpp"
#include "model/patch.hpp"
#include "validator/compare/closeness.hpp"
#include "validator/compare/padding_check.hpp"
#include "validator/interface.hpp"
#include "validator/validate.hpp"

namespace aegis {
namespace {

Model parse(std::string_view text) {
  auto model = parse_text(text);
  REQUIRE(model);
  return *std::move(model);
}

constexpr std::string_view before_text = "g (float[2,3] x) => (float[2,3] y) { h = Relu(x) y = Neg(h) }";

// h is padded from 3 to 4 lanes of zero and then cast to bf16; names only, no node needs to change for that.
Model padded(const Model& before) {
  const ValueId h = before.find("h");
  Patch patch{.pass = "pad", .label = {}, .safety = Safety::close, .same_bits = true, .edits = {}, .origins = {}};
  patch.edits.push_back(edit::InsertNode{.scope = ScopeId::main,
                                         .before = NodeId::none,
                                         .op = "Cast",
                                         .domain = "",
                                         .name = "low",
                                         .inputs = {"h"},
                                         .outputs = {"h/low"},
                                         .attributes = {{"to", std::int64_t{16}}}});
  patch.origins.emplace_back(
      "h", Origin{.kind = Origin::Kind::padded, .from = h, .axes = {{.axis = 1, .runs = {{3, 1}}, .lane = 0.0}}});
  patch.origins.emplace_back("h/low", Origin{.kind = Origin::Kind::cast, .from = h, .axes = {}});
  const Patch patches[] = {patch};
  auto after = apply(before, patches);
  REQUIRE(after);
  return *std::move(after);
}

TEST_CASE("values pair by name, and by origin through casts and padding") {
  const Model before = parse(before_text), after = padded(before);
  const Pairing pairing(before, after);
  CHECK(pairing.of(after.find("y")).before == before.find("y"));
  CHECK(pairing.any_padding());
  const Pair low = pairing.of(after.find("h/low"));
  CHECK(low.before == before.find("h"));
  REQUIRE(low.axes.size() == 1);
  CHECK(low.axes[0].axis == 1);
}

TEST_CASE("models that were loaded apart pair by name") {
  const Model before = parse(before_text);
  const Model after = parse("g (float[2,3] x) => (float[2,3] y) { k = Abs(x) h = Relu(k) y = Neg(h) }");
  const Pairing pairing(before, after);
  CHECK(pairing.of(after.find("h")).before == before.find("h"));
  CHECK(pairing.of(after.find("k")).before == ValueId::none);
  CHECK_FALSE(pairing.any_padding());
}

TEST_CASE("a padding lane that is not its constant is a fault, with its place") {
  const Model before = parse(before_text), after = padded(before);
  const Pairing pairing(before, after);
  PaddingCheck check(after, pairing, ChangeClass::same);
  const double clean[] = {1, 2, 3, 0, 4, 5, 6, 0}, dirty[] = {1, 2, 3, 0, 4, 5, 6, 1e-3};
  check.value(NodeId{0}, after.find("h"), from_doubles(DType::f32, {2, 4}, clean));
  CHECK_FALSE(check.fault());
  check.value(NodeId{0}, after.find("h"), from_doubles(DType::f32, {2, 4}, dirty));
  REQUIRE(check.fault());
  CHECK(check.fault()->what.find("[1, 3]") != std::string::npos);
}

TEST_CASE("an index that points at a padding lane is a fault at any tolerance") {
  const Model before = parse("g (float[2,3] x) => (int64[2,1] y) { h = Relu(x) y = ArgMax<axis = -1>(h) }");
  Patch patch{.pass = "pad", .label = {}, .safety = Safety::close, .same_bits = true, .edits = {}, .origins = {}};
  patch.origins.emplace_back("h", Origin{.kind = Origin::Kind::padded,
                                         .from = before.find("h"),
                                         .axes = {{.axis = 1, .runs = {{3, 1}}, .lane = {}}}});
  patch.edits.push_back(edit::SetAttribute{.node = before.main().nodes[1], .attribute = {"keepdims", std::int64_t{1}}});
  const Patch patches[] = {patch};
  const auto after = apply(before, patches);
  REQUIRE(after);
  const Pairing pairing(before, *after);
  PaddingCheck check(*after, pairing, ChangeClass::bf16);
  check.value(NodeId{0}, after->find("h"), Tensor::zeros(DType::f32, {2, 4}));
  const std::int64_t fine[] = {2, 0}, wrong[] = {0, 3};
  check.value(NodeId{1}, after->find("y"), from_integers({2, 1}, fine));
  CHECK_FALSE(check.fault());
  check.value(NodeId{1}, after->find("y"), from_integers({2, 1}, wrong));
  CHECK(check.fault());
}

std::vector<InputSpec> specs(const Model& model) {
  auto found = input_specs(model, infer(model, Binding{}));
  REQUIRE(found);
  return *std::move(found);
}

TEST_CASE("both models get the same numbers, rounded to the narrower input") {
  const Model before = parse("g (float[2] x) => (float[2] y) { y = Relu(x) }");
  const Model after = parse("g (bfloat16[2] x) => (bfloat16[2] y) { y = Relu(x) }");
  const auto interface = match_interface(before, after, specs(before), specs(after));
  REQUIRE(interface);
  const double values[] = {0.3, 1};
  const auto feeds = pair_feeds({{"x", from_doubles(DType::f32, {2}, values)}}, *interface);
  REQUIRE(feeds);
  CHECK(feeds->before.at("x").type == DType::f32);
  CHECK(feeds->after.at("x").type == DType::bf16);
  CHECK(*to_doubles(feeds->before.at("x")) == *to_doubles(feeds->after.at("x")));
  CHECK(to_doubles(feeds->before.at("x"))->front() != 0.3);
}

TEST_CASE("models with other faces are not compared") {
  const Model one = parse("g (float[2] x) => (float[2] y) { y = Relu(x) }");
  const Model two = parse("g (float[2] x, float[2] z) => (float[2] y) { y = Add(x, z) }");
  const Model ints = parse("g (int64[2] x) => (int64[2] y) { y = Neg(x) }");
  CHECK_FALSE(match_interface(one, two, specs(one), specs(two)));
  CHECK_FALSE(match_interface(two, one, specs(two), specs(one)));
  CHECK_FALSE(match_interface(one, ints, specs(one), specs(ints)));
}

TEST_CASE("the promise is read off the models") {
  const Model before = parse(before_text);
  CHECK(infer_change(before, before) == ChangeClass::exact);
  CHECK(infer_change(before, padded(before)) == ChangeClass::bf16);
  CHECK(infer_change(before, parse("g (float[2,3] x) => (float[2,3] y) { h = Abs(x) y = Neg(h) }")) ==
        ChangeClass::close);
}

TEST_CASE("the estimate grows with the work and is absent when a shape is") {
  const auto square = [](int n) {
    return parse("g (float[" + std::to_string(n) + "," + std::to_string(n) + "] a) => (float[" + std::to_string(n) +
                 "," + std::to_string(n) + "] y) { y = MatMul(a, a) }");
  };
  const ValidateOptions options;
  const auto small = estimate_cpu_seconds(square(64), square(64), options);
  const auto large = estimate_cpu_seconds(square(1024), square(1024), options);
  REQUIRE(small);
  REQUIRE(large);
  CHECK(*large > 100 * *small);
  CHECK(*large > 1);  // 16 products of 2.1 GFLOP
  CHECK(*large < 60);
}

TEST_CASE("expected outputs match within the tolerance") {
  const double want[] = {1, 100}, near[] = {1.0005, 100.05}, far[] = {1.01, 100};
  const Tensor expected = from_doubles(DType::f32, {2}, want);
  CHECK(close_to(expected, from_doubles(DType::f32, {2}, near), 1e-3, 1e-7).ok);
  const Closeness off = close_to(expected, from_doubles(DType::f32, {2}, far), 1e-3, 1e-7);
  CHECK_FALSE(off.ok);
  CHECK(off.reason.find("at [0]") != std::string::npos);
  CHECK_FALSE(close_to(expected, from_doubles(DType::f64, {2}, want), 1e-3, 1e-7).ok);
  CHECK_FALSE(close_to(expected, from_doubles(DType::f32, {2, 1}, want), 1e-3, 1e-7).ok);
}

}  // namespace
}  // namespace aegis
