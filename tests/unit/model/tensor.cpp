#include "model/tensor.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "model/round.hpp"

namespace aegis {
namespace {

TEST_CASE("every 16-bit pattern survives the way to FP32 and back") {
  for (std::uint32_t u = 0; u <= 0xffff; ++u) {
    const auto bits = static_cast<std::uint16_t>(u);
    const float b = bf16_value(bits), h = f16_value(bits);
    if (std::isnan(b))
      CHECK(bf16_bits(b) == 0x7fc0);
    else if (bf16_bits(b) != bits)
      FAIL("bf16 " << u);
    if (std::isnan(h))
      CHECK(f16_bits(h) == 0x7e00);
    else if (f16_bits(h) != bits)
      FAIL("f16 " << u);
  }
}

TEST_CASE("rounding goes to the nearest, ties to even") {
  CHECK(round_bf16(750.0f) == 752.0f);
  CHECK(round_bf16(65504.0f) == 65536.0f);
  CHECK(bf16_bits(-std::numeric_limits<float>::max()) == 0xff80);
  CHECK(round_bf16(1.0f + 0x1p-8f) == 1.0f);            // a tie
  CHECK(round_bf16(1.0f + 0x3p-8f) == 1.0f + 0x1p-6f);  // a tie
  CHECK(std::isinf(round_f16(65520.0f)));
  CHECK(round_f16(65519.0f) == 65504.0f);
  CHECK(round_f16(0x1p-25f) == 0.0f);
  CHECK(round_f16(std::nextafter(0x1p-25f, 1.0f)) == 0x1p-24f);
  CHECK(std::signbit(round_f16(-0.0f)));
}

// The nearest value of the type by exhaustive neighbour search over all f16 values in order.
TEST_CASE("FP16 rounding agrees with a search over all values") {
  std::vector<float> all;
  for (std::uint32_t u = 0; u < 0x7c00; ++u) all.push_back(f16_value(static_cast<std::uint16_t>(u)));
  std::uint64_t state = 1;
  for (int i = 0; i < 20000; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const auto u = static_cast<std::uint32_t>(state >> 33) % 0x47800000u;
    const float x = std::bit_cast<float>(u);
    if (!(x < 65504.0f)) continue;
    const auto it = std::lower_bound(all.begin(), all.end(), x);
    const float hi = *it, lo = it == all.begin() ? hi : *(it - 1);
    const double to_hi = double{hi} - double{x}, to_lo = double{x} - double{lo};
    const float want = to_hi < to_lo ? hi : to_lo < to_hi ? lo : (f16_bits(hi) % 2 == 0 ? hi : lo);
    if (round_f16(x) != want) FAIL("x = " << x);
  }
}

TEST_CASE("DOUBLE rounds to the narrow types once") {
  const double just_above_tie = 1.0 + 0x1p-8 + 0x1p-40;  // through FP32 it would become the tie and round down
  const double values[] = {just_above_tie, -just_above_tie};
  const auto t = from_doubles(DType::bf16, {2}, values);
  CHECK(bf16_value(t.as<std::uint16_t>()[0]) == 1.0f + 0x1p-7f);
  CHECK(bf16_value(t.as<std::uint16_t>()[1]) == -1.0f - 0x1p-7f);
}

TEST_CASE("element counts saturate and know zero") {
  CHECK(element_count(std::vector<std::int64_t>{}) == 1);
  CHECK(element_count(std::vector<std::int64_t>{3, 0, 5}) == 0);
  CHECK(element_count(std::vector<std::int64_t>{1ll << 40, 1ll << 40}) == std::numeric_limits<std::int64_t>::max());
  CHECK(element_count(std::vector<std::int64_t>{1ll << 40, 1ll << 40, 0}) == 0);
  CHECK(raw_bytes(DType::i4, 5) == 3);
}

}  // namespace
}  // namespace aegis
