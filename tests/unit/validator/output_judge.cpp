#include "validator/compare/output_judge.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "model/load.hpp"

namespace aegis {
namespace {

using Catch::Approx;

Tensor row(std::vector<double> values) {
  return from_doubles(DType::f32, {1, static_cast<std::int64_t>(values.size())}, values);
}
OutputJudge plain(ChangeClass change) { return OutputJudge("y", gate_for(change), {}, "", false); }
OutputJudge sigmoid(ChangeClass change) {
  return OutputJudge("y", gate_for(change), FinalActivation{.node = NodeId{0}, .operand = ValueId{0}, .range = 1.0},
                     "x", false);
}

TEST_CASE("the worst set decides and is named") {
  OutputJudge judge = plain(ChangeClass::bf16);
  REQUIRE(judge.add("0", row({1, 2, 3}), row({1, 2, 3.001}), nullptr, nullptr));
  REQUIRE(judge.add("0b", row({1, 2, 3}), row({1, 2, 3.55}), nullptr, nullptr));
  REQUIRE(judge.add("1", row({1, 2, 3}), row({1, 2, 3.6}), nullptr, nullptr));
  REQUIRE(judge.add("2", row({1, 2, 3}), row({1, 2, 3}), nullptr, nullptr));
  REQUIRE(judge.add("3", row({1, 2, 3}), row({1, 2, 3.5}), nullptr, nullptr));
  const OutputAccuracy out = judge.finish();
  CHECK(out.verdict == Verdict::fail);
  CHECK(out.worst_set == "1");
  CHECK(out.reason.find("set 1: snr is 15.9 dB") != std::string::npos);
  CHECK(out.max_abs == Approx(0.6));
  CHECK(out.max_abs_index == std::vector<std::int64_t>{0, 2});
  CHECK(out.top1->share == 1);
  CHECK(out.top1->n == 5);
  CHECK(out.gate == "snr >= 25 dB and cosine >= 0.998");
}

TEST_CASE("any changed bit fails where bits are promised") {
  OutputJudge judge = plain(ChangeClass::same);
  REQUIRE(judge.add("0", row({1, 2}), row({1, 2.0000002}), nullptr, nullptr));
  CHECK(judge.finish().verdict == Verdict::fail);
  OutputJudge equal = plain(ChangeClass::same);
  REQUIRE(equal.add("0", row({1, 2}), row({1, 2}), nullptr, nullptr));
  CHECK(equal.finish().verdict == Verdict::pass);
  CHECK(equal.finish().bit_exact);
}

TEST_CASE("a constant output proves nothing, however equal it is") {
  OutputJudge judge = plain(ChangeClass::bf16);
  REQUIRE(judge.add("0", row({0, 0}), row({0, 0}), nullptr, nullptr));
  REQUIRE(judge.add("1", row({0, 0}), row({0, 0}), nullptr, nullptr));
  const OutputAccuracy out = judge.finish();
  CHECK(out.verdict == Verdict::degenerate);
  CHECK(out.degenerate->why == "constant");
  OutputJudge by_right("y", gate_for(ChangeClass::bf16), {}, "", true);
  REQUIRE(by_right.add("0", row({0, 0}), row({0, 0}), nullptr, nullptr));
  CHECK(by_right.finish().verdict == Verdict::pass);
}

TEST_CASE("a constant output that varies over the sets is judged as it is") {
  OutputJudge judge = plain(ChangeClass::bf16);
  REQUIRE(judge.add("0", row({1, 1}), row({1, 1}), nullptr, nullptr));
  REQUIRE(judge.add("1", row({2, 2}), row({2, 2}), nullptr, nullptr));
  CHECK(judge.finish().verdict == Verdict::pass);
}

TEST_CASE("a saturated sigmoid is judged by what stands in front of it") {
  const Tensor zeros = row({1e-9, 2e-9}), off = row({2e-9, 1e-9});
  const Tensor x = row({-20, -19}), near = row({-20.01, -19}), far = row({-12, -19});
  OutputJudge good = sigmoid(ChangeClass::bf16);
  REQUIRE(good.add("0", zeros, off, &x, &near));
  const OutputAccuracy passed = good.finish();
  CHECK(passed.verdict == Verdict::pass);
  CHECK(*passed.snr_db < 10);
  CHECK(passed.degenerate->why == "saturated");
  CHECK(passed.degenerate->gated_on == "x");
  CHECK(*passed.degenerate->gated_snr_db > 60);
  OutputJudge bad = sigmoid(ChangeClass::bf16);
  REQUIRE(bad.add("0", zeros, off, &x, &far));
  CHECK(bad.finish().verdict == Verdict::fail);
  OutputJudge blind = sigmoid(ChangeClass::bf16);
  const Tensor flat = row({-20, -20});
  REQUIRE(blind.add("0", row({2e-9, 2e-9}), off, &flat, &flat));
  CHECK(blind.finish().verdict == Verdict::degenerate);
}

TEST_CASE("a healthy sigmoid is judged as it is") {
  const Tensor y = row({0.1, 0.9}), x = row({-2.2, 2.2}), off = row({0.3, 0.7});
  OutputJudge judge = sigmoid(ChangeClass::bf16);
  REQUIRE(judge.add("0", y, off, &x, &x));
  CHECK(judge.finish().verdict == Verdict::fail);
  CHECK_FALSE(judge.finish().degenerate);
}

TEST_CASE("a set whose reference is not finite is not held against after") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  OutputJudge some = plain(ChangeClass::bf16);
  REQUIRE(some.add("0", row({1, 2}), row({1, 2}), nullptr, nullptr));
  REQUIRE(some.add("1", row({nan, nan}), row({1, 2}), nullptr, nullptr));
  CHECK(some.finish().verdict == Verdict::pass);
  OutputJudge all = plain(ChangeClass::bf16);
  REQUIRE(all.add("0", row({nan, nan}), row({nan, 1}), nullptr, nullptr));
  CHECK(all.finish().verdict == Verdict::degenerate);
  OutputJudge fresh = plain(ChangeClass::bf16);
  REQUIRE(fresh.add("0", row({1, 2}), row({nan, 2}), nullptr, nullptr));
  CHECK(fresh.finish().verdict == Verdict::fail);
  CHECK(fresh.finish().new_nonfinite == 1);
}

TEST_CASE("index outputs have shares, not decibels") {
  OutputJudge judge("i", gate_for(ChangeClass::bf16), {}, "", false);
  const std::vector<std::int64_t> before(50, 1);
  std::vector<std::int64_t> after = before;
  after[7] = 2;
  REQUIRE(judge.add("0", from_integers({50}, before), from_integers({50}, after), nullptr, nullptr));
  const OutputAccuracy out = judge.finish();
  CHECK_FALSE(out.numeric);
  CHECK(out.equal_share == Approx(0.98));
  CHECK(out.verdict == Verdict::warn);
  CHECK_FALSE(out.snr_db);
}

Model parse(std::string_view text) {
  auto model = parse_text(text);
  REQUIRE(model);
  return *std::move(model);
}

TEST_CASE("the final activation is found through casts and reshapes") {
  const Model m = parse(R"(g (float[2,3] x) => (float[6] y, float[2,3] z) <int64[1] flat = {6}> {
    h = Relu(x)
    p = Sigmoid(h)
    c = Cast<to = 1>(p)
    y = Reshape(c, flat)
    z = Add(h, x)
  })");
  const auto last = final_activation(m, m.main().outputs[0]);
  REQUIRE(last);
  CHECK(m.value(last->operand).name == "h");
  CHECK(*last->range == 1);
  CHECK_FALSE(final_activation(m, m.main().outputs[1]));
}

TEST_CASE("a clip's range is that of its bounds") {
  const Model m =
      parse(R"(g (float[2] x) => (float[2] y) <float low = {-1.0}, float high = {6.0}> { y = Clip(x, low, high) })");
  CHECK(*final_activation(m, m.main().outputs[0])->range == 7);
}

TEST_CASE("what no input reaches is constant by right") {
  const Model m =
      parse(R"(g (float[2] x) => (float[2] y, float[2] z) <float[2] w = {1.0, 2.0}> { y = Relu(w) z = Add(w, x) })");
  CHECK_FALSE(depends_on_inputs(m, m.main().outputs[0]));
  CHECK(depends_on_inputs(m, m.main().outputs[1]));
}

}  // namespace
}  // namespace aegis
