// exec/kernels/math.hpp against long double, with a stride over all floats, and over all 16-bit floats.
#include "exec/kernels/math.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

namespace {

using Float = float (*)(float);
using Long = long double (*)(long double);

// Distance in units of the last place of a float result.
double ulps(float got, long double wanted) {
  const float nearest = static_cast<float>(wanted);
  if (std::isnan(got) || std::isnan(nearest)) return std::isnan(got) == std::isnan(nearest) ? 0 : 1e9;
  if (std::isinf(got) || std::isinf(nearest)) return got == nearest ? 0 : 1e9;
  int exponent = 0;
  std::frexp(wanted, &exponent);
  return static_cast<double>(std::abs(static_cast<long double>(got) - wanted) /
                             std::ldexp(1.0L, std::max(exponent, -125) - 24));
}

double worst(Float function, Long reference) {
  double most = 0;
  const auto look = [&](std::uint32_t bits) {
    const float x = std::bit_cast<float>(bits);
    most = std::max(most, ulps(function(x), reference(static_cast<long double>(x))));
  };
  for (std::uint64_t bits = 0; bits < 0x100000000u; bits += 65521) look(static_cast<std::uint32_t>(bits));
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    look(bits << 16);
    look(std::bit_cast<std::uint32_t>(aegis::f16_value(static_cast<std::uint16_t>(bits))));
  }
  return most;
}

#define AEGIS_WITHIN(function, reference, limit)                \
  CHECK(worst([](float x) { return aegis::math::function(x); }, \
              [](long double x) -> long double { return reference; }) <= limit)

}  // namespace

TEST_CASE("elementary functions of floats stay within two units of the last place") {
  AEGIS_WITHIN(exp, std::exp(x), 1.0);
  AEGIS_WITHIN(expm1, std::expm1(x), 1.0);
  AEGIS_WITHIN(log, std::log(x), 1.0);
  AEGIS_WITHIN(log1p, std::log1p(x), 1.0);
  AEGIS_WITHIN(erf, std::erf(x), 2.0);
  AEGIS_WITHIN(tanh, std::tanh(x), 1.0);
  AEGIS_WITHIN(sin, std::sin(x), 1.0);
  AEGIS_WITHIN(cos, std::cos(x), 1.0);
  AEGIS_WITHIN(tan, std::tan(x), 1.0);
  AEGIS_WITHIN(asin, std::asin(x), 1.0);
  AEGIS_WITHIN(acos, std::acos(x), 1.0);
  AEGIS_WITHIN(atan, std::atan(x), 1.0);
  AEGIS_WITHIN(sinh, std::sinh(x), 1.0);
  AEGIS_WITHIN(cosh, std::cosh(x), 1.0);
  AEGIS_WITHIN(asinh, std::asinh(x), 1.0);
  AEGIS_WITHIN(acosh, std::acosh(x), 1.0);
  AEGIS_WITHIN(atanh, std::atanh(x), 1.0);
  AEGIS_WITHIN(sigmoid, 1 / (1 + std::exp(-x)), 1.0);
}

TEST_CASE("rounding functions are exact") {
  AEGIS_WITHIN(round_even, std::nearbyint(x), 0.0);
  AEGIS_WITHIN(floor, std::floor(x), 0.0);
  AEGIS_WITHIN(ceil, std::ceil(x), 0.0);
  AEGIS_WITHIN(trunc, std::trunc(x), 0.0);
}

TEST_CASE("pow follows IEEE 754 at its edges and stays close elsewhere") {
  using aegis::math::pow;
  const float inf = HUGE_VALF;
  CHECK(pow(0.0f, 0.0f) == 1.0f);
  CHECK(pow(0.0f, -1.0f) == inf);
  CHECK(pow(-0.0f, -1.0f) == -inf);
  CHECK(pow(-2.0f, 3.0f) == -8.0f);
  CHECK(std::isnan(pow(-2.0f, 0.5f)));
  CHECK(pow(inf, -2.0f) == 0.0f);
  CHECK(pow(0.5f, inf) == 0.0f);
  CHECK(pow(1.0f, inf) == 1.0f);
  CHECK(pow(-1.0f, 16777216.0f) == 1.0f);
  double most = 0;
  for (int i = 1; i < 400; ++i)
    for (int j = -60; j < 60; ++j) {
      const float x = static_cast<float>(i) * 0.173f, y = static_cast<float>(j) * 0.37f;
      most = std::max(most, ulps(pow(x, y), std::pow(static_cast<long double>(x), static_cast<long double>(y))));
    }
  CHECK(most <= 1.0);
}

TEST_CASE("the remainder is exact and has the sign of the dividend") {
  for (int i = -50; i < 50; ++i)
    for (int j = 1; j < 20; ++j) {
      const double x = i * 1.7e5 + 0.3, y = j * 0.11;
      CHECK(aegis::math::remainder_toward_zero(x, y) == std::fmod(x, y));
    }
}
