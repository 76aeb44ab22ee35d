#include "validator/compare/gates.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

namespace aegis {
namespace {

using Catch::Approx;

// A tensor pair whose SNR is `db`.
Metrics at_db(double db) {
  const double values[] = {1, 1}, off[] = {1 + std::pow(10, -db / 20) * std::sqrt(2.0), 1};
  return *compare(from_doubles(DType::f64, {2}, values), from_doubles(DType::f64, {2}, off));
}
Verdict verdict(ChangeClass change, double db) { return judge(at_db(db), gate_for(change)).verdict; }

TEST_CASE("each class has its own thresholds") {
  CHECK(verdict(ChangeClass::exact, 300) == Verdict::fail);
  CHECK(verdict(ChangeClass::same, 300) == Verdict::fail);
  CHECK(verdict(ChangeClass::rescaled, 100.1) == Verdict::pass);
  CHECK(verdict(ChangeClass::rescaled, 99.9) == Verdict::fail);
  CHECK(verdict(ChangeClass::close, 100.1) == Verdict::pass);
  CHECK(verdict(ChangeClass::close, 90) == Verdict::warn);
  CHECK(verdict(ChangeClass::close, 79.9) == Verdict::fail);
  CHECK(verdict(ChangeClass::tf32, 45.1) == Verdict::pass);
  CHECK(verdict(ChangeClass::tf32, 40) == Verdict::warn);
  CHECK(verdict(ChangeClass::tf32, 34.9) == Verdict::fail);
  CHECK(verdict(ChangeClass::f16, 40.1) == Verdict::pass);
  CHECK(verdict(ChangeClass::f16, 35) == Verdict::warn);
  CHECK(verdict(ChangeClass::f16, 29.9) == Verdict::fail);
  CHECK(verdict(ChangeClass::bf16, 26) == Verdict::pass);
  CHECK(verdict(ChangeClass::bf16, 22) == Verdict::warn);
  CHECK(verdict(ChangeClass::bf16, 19.9) == Verdict::fail);
}

TEST_CASE("equal bits pass every gate") {
  const double values[] = {1, 2};
  const Tensor t = from_doubles(DType::f32, {2}, values);
  for (const auto change : {ChangeClass::exact, ChangeClass::rescaled, ChangeClass::bf16})
    CHECK(judge(*compare(t, t), gate_for(change)).verdict == Verdict::pass);
}

TEST_CASE("a user's threshold replaces that of the class, but not bit equality") {
  CHECK(judge(at_db(30), gate_for(ChangeClass::bf16, 35)).verdict == Verdict::fail);
  CHECK(judge(at_db(22), gate_for(ChangeClass::bf16, 20)).verdict == Verdict::pass);
  CHECK(judge(at_db(200), gate_for(ChangeClass::same, 20)).verdict == Verdict::fail);
  CHECK(judge(at_db(26), gate_for(ChangeClass::bf16, {}, 0.01)).verdict == Verdict::fail);
}

TEST_CASE("a new infinity fails at any threshold") {
  const double values[] = {1, 2}, off[] = {1, INFINITY};
  const auto m = compare(from_doubles(DType::f32, {2}, values), from_doubles(DType::f32, {2}, off));
  const Judgement found = judge(*m, gate_for(ChangeClass::bf16, 0));
  CHECK(found.verdict == Verdict::fail);
  CHECK(found.reason.find("infinite") != std::string::npos);
}

TEST_CASE("index outputs are judged by the share of equal elements") {
  std::vector<std::int64_t> before(100, 3), after(100, 3);
  const auto at = [&](std::size_t differing) {
    for (std::size_t i = 0; i < differing; ++i) after[i] = 4;
    return judge(*compare(from_integers({100}, before), from_integers({100}, after)), gate_for(ChangeClass::bf16))
        .verdict;
  };
  CHECK(at(1) == Verdict::pass);
  CHECK(at(4) == Verdict::warn);
  CHECK(at(6) == Verdict::fail);
}

TEST_CASE("Wilson's interval has its known ends") {
  const Agreement half = wilson(50, 100);
  CHECK(half.low == Approx(0.4038).margin(1e-4));
  CHECK(half.high == Approx(0.5962).margin(1e-4));
  const Agreement all = wilson(10, 10);
  CHECK(all.share == 1);
  CHECK(all.low == Approx(0.7225).margin(1e-4));
  CHECK(all.high == Approx(1));
  CHECK(wilson(0, 0).high == 1);
}

TEST_CASE("rows agree when their largest element stands at the same place") {
  const double a[] = {1, 2, 3, /**/ 5, 1, 1, /**/ 0, NAN, 1}, b[] = {1, 2, 2.5, /**/ 1, 5, 1, /**/ 0, 2, 1};
  const auto hits = row_hits(from_doubles(DType::f32, {3, 3}, a), from_doubles(DType::f32, {3, 3}, b));
  REQUIRE(hits);
  CHECK(hits->rows == 3);
  CHECK(hits->top1 == 1);
  CHECK_FALSE(hits->five);
  CHECK_FALSE(row_hits(from_doubles(DType::f32, {9}, a), from_doubles(DType::f32, {9}, b)));
}

TEST_CASE("top five asks whether the first of before is among the first five of after") {
  const double a[] = {9, 1, 2, 3, 4, 5, 6}, near[] = {4.5, 1, 2, 3, 4, 5, 6}, far[] = {0, 1, 2, 3, 4, 5, 6};
  const Tensor before = from_doubles(DType::f32, {1, 7}, a);
  CHECK(row_hits(before, from_doubles(DType::f32, {1, 7}, near))->top5 == 1);
  CHECK(row_hits(before, from_doubles(DType::f32, {1, 7}, far))->top5 == 0);
}

TEST_CASE("right answers are counted against labels") {
  const double scores[] = {1, 2, 3, 0, 7, 1};
  const std::int64_t labels[] = {2, 0};
  CHECK(right_answers(from_doubles(DType::f32, {2, 3}, scores), labels) == 1);
}

}  // namespace
}  // namespace aegis
