#include "validator/validate.hpp"

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "model/load.hpp"
#include "model/patch.hpp"
#include "tests/unit/validator/numpy_bytes.hpp"
#include "tests/unit/validator/scratch.hpp"

namespace aegis {
namespace {

Model parse(std::string_view text) {
  auto model = parse_text(text);
  REQUIRE(model);
  return *std::move(model);
}
Validation check(const Model& before, const Model& after, const ValidateOptions& options = {}) {
  auto result = validate(before, after, options);
  if (!result) FAIL(result.error().message);
  return *std::move(result);
}
// The one output, or the reason why there is none.
OutputAccuracy only(const Validation& v) {
  INFO(v.detail);
  REQUIRE(v.outputs.size() == 1);
  return v.outputs[0];
}

constexpr std::string_view header = R"(<ir_version: 10, opset_import: ["" : 21]> )";
std::string graph(std::string_view body) { return std::string(header) + std::string(body); }

constexpr std::string_view weights =
    "<float[4,3] w = {0.5, -1.25, 0.75, 1.1, 0.3, -0.6, -0.9, 0.2, 1.7, 0.05, -0.4, 0.8}, float[3] b = {0.1, -0.2, "
    "0.3}>";

Model linear() {
  return parse(graph("g (float[n,4] x) => (float[n,3] y) " + std::string(weights) +
                     " { p = MatMul(x, w) h = Add(p, b) y = Relu(h) }"));
}
// The same in BF16 between casts.
Model narrow(std::string_view product = "p = MatMul(xl, wl)") {
  return parse(graph("g (float[n,4] x) => (float[n,3] y) " + std::string(weights) +
                     " { xl = Cast<to = 16>(x) wl = Cast<to = 16>(w) bl = Cast<to = 16>(b) " + std::string(product) +
                     " h = Add(p, bl) yl = Relu(h) y = Cast<to = 1>(yl) }"));
}

TEST_CASE("a model equals itself bit for bit") {
  const Model m = linear();
  const Validation v = check(m, m);
  CHECK(v.verdict == Verdict::pass);
  CHECK(v.change == ChangeClass::exact);
  CHECK(v.change_inferred);
  CHECK(v.evidence == Basis::synthetic);
  CHECK(v.inputs.count == 8);
  CHECK(only(v).bit_exact);
  CHECK(only(v).name == "y");
  CHECK_FALSE(v.first_bad);
  CHECK(v.speed.verdict == "not_measured");
  CHECK_FALSE(v.not_covered.empty());
}

TEST_CASE("a recast passes its gate and is no bit equality") {
  const Validation v = check(linear(), narrow());
  CHECK(v.verdict == Verdict::pass);
  CHECK(v.change == ChangeClass::bf16);
  CHECK_FALSE(only(v).bit_exact);
  CHECK(*only(v).snr_db > 35);
  CHECK(*only(v).snr_db < 70);
  const Validation strict = check(linear(), narrow(), {.change = ChangeClass::exact});
  CHECK(strict.verdict == Verdict::fail);
}

TEST_CASE("a wrong node is named, not the ones behind it") {
  const Model wrong = parse(graph("g (float[n,4] x) => (float[n,3] y) " + std::string(weights) +
                                  " { xl = Cast<to = 16>(x) wl = Cast<to = 16>(w) bl = Cast<to = 16>(b) "
                                  "p = MatMul(xl, wl) n = Neg(bl) h = Add(p, n) yl = Relu(h) y = Cast<to = 1>(yl) }"));
  const Validation v = check(linear(), wrong);
  CHECK(v.verdict == Verdict::fail);
  CHECK(v.reason == "gate");
  REQUIRE(v.first_bad);
  CHECK(v.first_bad->op == "Add");
  CHECK(v.first_bad->value == "h");
  CHECK(v.first_bad->scope == "/");
  CHECK(v.first_bad->kind == "local");
  CHECK(*v.first_bad->cumulative_rel_l2 > 0.05);
}

TEST_CASE("what cannot be run is never a pass") {
  const Model before = linear();
  const Model after =
      parse(graph("g (float[n,4] x) => (float[n,3] y) " + std::string(weights) +
                  R"( { p = MatMul(x, w) h = Add(p, b) y = my.domain.Mystery(h) })")
                .replace(0, header.size(), R"(<ir_version: 10, opset_import: ["" : 21, "my.domain" : 1]> )"));
  const Validation v = check(before, after);
  CHECK(v.verdict == Verdict::degenerate);
  CHECK(v.reason == "not_run");
  REQUIRE(v.not_run.size() == 1);
  CHECK(v.not_run[0].model == "after");
  CHECK(v.not_run[0].op == "Mystery");
}

TEST_CASE("models with other faces fail with the reason") {
  const Model other = parse(graph("g (float[n,4] x, float z) => (float[n,4] y) { y = Mul(x, z) }"));
  const Validation v = check(linear(), other);
  CHECK(v.verdict == Verdict::fail);
  CHECK(v.reason == "interface");
}

TEST_CASE("the user's data and labels make the evidence") {
  const Scratch dir;
  std::vector<float> x;
  for (int i = 0; i < 40; ++i) x.push_back(static_cast<float>((i * 7) % 11) - 5);
  const std::string inputs = dir.write("x.npz", zip_bytes({{"x.npy", npy_bytes("<f4", "(10, 4)", raw(x))}}));
  const std::string labels = dir.write("l.npy", npy_bytes("<i8", "(10,)", raw(std::vector<std::int64_t>(10, 1))));
  const Validation data = check(linear(), narrow(), {.inputs = inputs});
  CHECK(data.evidence == Basis::user);
  CHECK(data.inputs.samples == 10);
  CHECK(data.inputs.source == inputs);
  CHECK_FALSE(data.task);
  const Validation task = check(linear(), narrow(), {.inputs = inputs, .labels = labels});
  CHECK(task.evidence == Basis::task);
  REQUIRE(task.task);
  CHECK(task.task->n == 10);
  CHECK(task.task->output == "y");
  CHECK(task.task->top1_before >= 0);
  CHECK(check(linear(), narrow(), {.inputs = inputs, .labels = labels, .min_top1 = 1.01}).verdict == Verdict::fail);
  const std::string few = dir.write("f.npy", npy_bytes("<i8", "(3,)", raw(std::vector<std::int64_t>(3, 1))));
  CHECK_FALSE(validate(linear(), narrow(), {.inputs = inputs, .labels = few}));
  CHECK_FALSE(validate(linear(), narrow(), {.labels = labels}));
  CHECK_FALSE(validate(linear(), narrow(), {.inputs = dir / "absent.npz"}));
}

TEST_CASE("a batch of one takes samples one by one") {
  const Scratch dir;
  const Model one = parse(graph("g (float[1,4] x) => (float[1,4] y) { y = Neg(x) }"));
  const std::string inputs =
      dir.write("x.npz", zip_bytes({{"x.npy", npy_bytes("<f4", "(3, 4)", raw(std::vector<float>(12, 1.5F)))}}));
  const Validation v = check(one, one, {.inputs = inputs});
  CHECK(v.inputs.count == 3);
  CHECK(v.inputs.samples == 3);
}

TEST_CASE("a dead output is degenerate, not a pass") {
  const Model dead = parse(graph("g (float[n,4] x) => (float[n,4] y) { z = Sub(x, x) y = Relu(z) }"));
  const Model low =
      parse(graph("g (float[n,4] x) => (float[n,4] y) { l = Cast<to = 16>(x) z = Sub(l, l) r = Relu(z) "
                  "y = Cast<to = 1>(r) }"));
  const Validation v = check(dead, low);
  CHECK(v.verdict == Verdict::degenerate);
  CHECK(v.reason == "degenerate");
}

TEST_CASE("a new infinity is found where it arises") {
  const Model before =
      parse(graph("g (float[n,4] x) => (float[n,4] y) <float big = {1000.0}, float small = {0.001}> "
                  "{ a = Mul(x, big) b = Mul(a, a) y = Mul(b, small) }"));
  const Model after =
      parse(graph("g (float[n,4] x) => (float[n,4] y) <float big = {1000.0}, float small = {0.001}> "
                  "{ l = Cast<to = 10>(x) bl = Cast<to = 10>(big) sl = Cast<to = 10>(small) "
                  "a = Mul(l, bl) b = Mul(a, a) c = Mul(b, sl) "
                  "y = Cast<to = 1>(c) }"));
  const Validation v = check(before, after);
  CHECK(v.change == ChangeClass::f16);
  CHECK(v.verdict == Verdict::fail);
  CHECK(only(v).new_nonfinite > 0);
  REQUIRE(v.first_bad);
  CHECK(v.first_bad->kind == "nonfinite");
  CHECK(v.first_bad->value == "b");
}

// Hidden width 3 -> 4 with zero lanes; `lane` is what the pass claims about them.
Model padded(const Model& before, double lane, double stored = 0) {
  const double w1[] = {0.5, -1.25, 0.75, stored, 1.1, 0.3, -0.6, stored};
  const double w2[] = {1, 2, 3, 0};
  Patch patch{.pass = "pad", .label = {}, .safety = Safety::close, .same_bits = true, .edits = {}, .origins = {}};
  patch.edits.push_back(edit::SetTensor{before.find("w1"), TensorSource::owned(from_doubles(DType::f32, {2, 4}, w1))});
  patch.edits.push_back(edit::SetTensor{before.find("w2"), TensorSource::owned(from_doubles(DType::f32, {4, 1}, w2))});
  patch.origins.emplace_back("h", Origin{.kind = Origin::Kind::padded,
                                         .from = before.find("h"),
                                         .axes = {{.axis = 1, .runs = {{3, 1}}, .lane = lane}}});
  const Patch patches[] = {patch};
  auto after = apply(before, patches);
  REQUIRE(after);
  return *std::move(after);
}

TEST_CASE("padding is compared inside its crop box, and its lanes against their constant") {
  const Model before =
      parse(graph("g (float[n,2] x) => (float[n,1] y) <float[2,3] w1 = {0.5, -1.25, 0.75, 1.1, 0.3, -0.6}, "
                  "float[3,1] w2 = {1.0, 2.0, 3.0}> { h = MatMul(x, w1) y = MatMul(h, w2) }"));
  const Validation good = check(before, padded(before, 0), {.change = ChangeClass::same});
  CHECK(good.verdict == Verdict::pass);
  CHECK(only(good).bit_exact);
  const Validation lying = check(before, padded(before, 1), {.change = ChangeClass::same});
  CHECK(lying.verdict == Verdict::fail);
  CHECK(lying.reason == "padding");
  REQUIRE(lying.first_bad);
  CHECK(lying.first_bad->kind == "padding");
  CHECK(lying.first_bad->value == "h");
  const Validation dirty = check(before, padded(before, 0, 0.5), {.change = ChangeClass::same});
  CHECK(dirty.verdict == Verdict::fail);
}

TEST_CASE("inputs without samples prove nothing") {
  const Model m = linear();
  const Validation v = check(m, m, {.binding = {.symbols = {{"n", 0}}}});
  CHECK(v.verdict == Verdict::degenerate);
  CHECK(v.reason == "degenerate");
}

TEST_CASE("a deadline that no set meets is no pass") {
  const Validation v = check(linear(), narrow(), {.deadline_s = 0});
  CHECK(v.inputs.count == 0);
  CHECK(v.verdict == Verdict::degenerate);
  CHECK(v.reason == "deadline");
  CHECK(v.limits.size() == 1);
}

TEST_CASE("inputs can be saved and given again") {
  const Scratch dir;
  const Validation made = check(linear(), narrow(), {.sets = 4, .save_inputs = dir.path()});
  const Validation again = check(linear(), narrow(), {.inputs = dir.path()});
  CHECK(again.inputs.count == 4);
  CHECK(only(again).rel_l2 == only(made).rel_l2);
  CHECK(only(again).max_abs == only(made).max_abs);
}

TEST_CASE("the verdict does not depend on threads") {
  const Validation one = check(linear(), narrow(), {.threads = 1}), many = check(linear(), narrow(), {.threads = 4});
  CHECK(only(one).rel_l2 == only(many).rel_l2);
  CHECK(only(one).max_abs_index == only(many).max_abs_index);
}

TEST_CASE("an engine that is not there is named") {
  const auto result = validate(linear(), linear(), {.engine = "cuda"});
  REQUIRE_FALSE(result);
  CHECK(result.error().fault == Fault::usage);
  CHECK(result.error().message.find("cpu") != std::string::npos);
}

}  // namespace
}  // namespace aegis
