#include "validator/compare/metrics.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "validator/validate.hpp"

namespace aegis {
namespace {

using Catch::Approx;

Tensor floats(std::vector<double> values, DType type = DType::f32) {
  return from_doubles(type, {static_cast<std::int64_t>(values.size())}, values);
}

TEST_CASE("equal tensors have no error and the cap as their SNR") {
  const auto m = compare(floats({1, -2, 3}), floats({1, -2, 3}));
  REQUIRE(m);
  CHECK(m->bit_exact);
  CHECK(m->equal == 3);
  CHECK(*m->rel_l2() == 0);
  CHECK(*m->snr_db() == snr_cap_db);
  CHECK(*m->cosine() == 1);
  CHECK(m->max_abs == 0);
  CHECK(m->max_abs_at == -1);
}

TEST_CASE("a known error gives known figures") {
  const auto m = compare(floats({3, 0, 4}), floats({3, 0.05, 4}));
  REQUIRE(m);
  CHECK_FALSE(m->bit_exact);
  CHECK(*m->rel_l2() == Approx(0.01));
  CHECK(*m->snr_db() == Approx(40).margin(1e-5));
  CHECK(m->max_abs == Approx(0.05));
  CHECK(m->max_abs_at == 1);
  CHECK(m->max_abs_before == 0);
  CHECK(m->max_abs_after == Approx(0.05));
  CHECK(m->low == 0);
  CHECK(m->high == 4);
  CHECK(m->equal_share() == Approx(2.0 / 3));
}

TEST_CASE("a scaled tensor keeps its cosine and loses its SNR") {
  const auto m = compare(floats({1, 2, -3}), floats({2, 4, -6}));
  REQUIRE(m);
  CHECK(*m->cosine() == Approx(1));
  CHECK(*m->snr_db() == Approx(0).margin(1e-12));
}

TEST_CASE("ulp counts in the narrower type") {
  const double step = 0x1p-7;  // of bf16 in [1, 2)
  const auto narrow = compare(floats({1, 1.5}, DType::f32), floats({1 + step, 1.5}, DType::bf16));
  REQUIRE(narrow);
  CHECK(narrow->max_ulp == Approx(1));
  CHECK_FALSE(narrow->bit_exact);  // another type is other bits
  const auto wide = compare(floats({1, 1.5}), floats({1 + 0x1p-22, 1.5}));
  REQUIRE(wide);
  CHECK(wide->max_ulp == Approx(2));
}

TEST_CASE("elements far below the rest are measured by the ruler of rms / 128") {
  const auto m = compare(floats({1, 0}), floats({1, 0x1p-23}));
  REQUIRE(m);
  // rms = sqrt(1/2), a ruler at 0.0055: spacing 2^(-8 - 23)
  CHECK(m->max_ulp == Approx(0x1p-23 / 0x1p-31));
}

TEST_CASE("non-finite elements: new ones are counted, old ones are not held against after") {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const auto m = compare(floats({1, inf, nan, 2}), floats({1, 5, nan, inf}));
  REQUIRE(m);
  CHECK(m->reference_nonfinite == 2);
  CHECK(m->new_nonfinite == 1);
  CHECK(m->compared == 1);
  CHECK(m->equal == 2);
  CHECK_FALSE(m->bit_exact);
  const auto same = compare(floats({nan, 1}), floats({-nan, 1}));
  REQUIRE(same);
  CHECK(same->bit_exact);
}

TEST_CASE("minus zero has other bits than zero and the same number") {
  const auto m = compare(floats({0.0, 1}), floats({-0.0, 1}));
  REQUIRE(m);
  CHECK_FALSE(m->bit_exact);
  CHECK(m->equal == 2);
}

TEST_CASE("zero before and something after has no relative error") {
  const auto m = compare(floats({0, 0}), floats({0, 1e-9}));
  REQUIRE(m);
  CHECK_FALSE(m->rel_l2());
  CHECK_FALSE(m->snr_db());
}

TEST_CASE("integers are equal or not") {
  const std::int64_t a[] = {1, 2, 3, 9007199254740993}, b[] = {1, 2, 4, 9007199254740992};
  const auto m = compare(from_integers({4}, a), from_integers({4}, b));
  REQUIRE(m);
  CHECK_FALSE(m->numeric);
  CHECK(m->equal == 2);
  CHECK_FALSE(m->rel_l2());
}

TEST_CASE("another shape or an integer of another type is an error") {
  CHECK_FALSE(compare(floats({1, 2}), floats({1, 2, 3})));
  CHECK_FALSE(compare(floats({1}), from_integers({1}, std::vector<std::int64_t>{1})));
}

TEST_CASE("empty tensors and scalars compare") {
  const auto empty = compare(Tensor::zeros(DType::f32, {0, 3}), Tensor::zeros(DType::f32, {0, 3}));
  REQUIRE(empty);
  CHECK(empty->bit_exact);
  CHECK_FALSE(empty->snr_db());
  const double one[] = {1};
  const auto scalar = compare(from_doubles(DType::f32, {}, one), from_doubles(DType::f32, {}, one));
  REQUIRE(scalar);
  CHECK(scalar->elements == 1);
}

TEST_CASE("a flat place becomes a position") {
  CHECK(unflatten(11, {2, 3, 4}) == std::vector<std::int64_t>{0, 2, 3});
  CHECK(unflatten(23, {2, 3, 4}) == std::vector<std::int64_t>{1, 2, 3});
  CHECK(unflatten(0, {}).empty());
  CHECK(shape_text({2, 3}) == "2x3");
  CHECK(shape_text({}) == "scalar");
}

}  // namespace
}  // namespace aegis
