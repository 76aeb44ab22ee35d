// The 8- and 4-bit float formats of ONNX, decoded to float and encoded from double with one rounding to nearest even.
#pragma once

#include <bit>
#include <cstdint>

#include "exec/kernels/math.hpp"
#include "model/dtype.hpp"

namespace aegis::kernels {

struct MiniFloat {
  int mantissa_bits = 0, bias = 0;
  std::uint8_t largest = 0;    // bits of the largest finite magnitude
  bool has_infinity = false;   // exponent all ones, mantissa zero
  bool unsigned_zero = false;  // *fnuz: 0x80 is NaN and there is no negative zero
  std::uint8_t nan = 0, sign = 0x80;
};

inline constexpr MiniFloat mini_float(DType type) {
  switch (type) {
    case DType::f8e4m3fn: return {3, 7, 0x7e, false, false, 0x7f, 0x80};
    case DType::f8e4m3fnuz: return {3, 8, 0x7f, false, true, 0x80, 0x80};
    case DType::f8e5m2: return {2, 15, 0x7b, true, false, 0x7e, 0x80};
    case DType::f8e5m2fnuz: return {2, 16, 0x7f, false, true, 0x80, 0x80};
    default: return {1, 1, 0x07, false, false, 0x08, 0x08};  // f4e2m1: no infinity, NaN becomes -0
  }
}

inline float decode(const MiniFloat& f, std::uint8_t bits) {
  const int magnitude = bits & (f.sign - 1), exponent = magnitude >> f.mantissa_bits;
  const int mantissa = magnitude & ((1 << f.mantissa_bits) - 1);
  const bool negative = (bits & f.sign) != 0;
  if (f.unsigned_zero ? bits == f.nan : f.sign == 0x80 && magnitude > f.largest) {
    if (f.has_infinity && mantissa == 0)
      return negative ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
    return std::numeric_limits<float>::quiet_NaN();
  }
  const int scale = (exponent ? exponent : 1) - f.bias - f.mantissa_bits;
  const double value = static_cast<double>(mantissa + (exponent ? 1 << f.mantissa_bits : 0)) *
                       math::from_bits(static_cast<std::uint64_t>(1023 + scale) << 52);
  return static_cast<float>(negative ? -value : value);
}

inline std::uint8_t encode(const MiniFloat& f, double value, bool saturate) {
  if (value != value) return f.nan;
  const bool negative = (math::bits(value) >> 63) != 0;
  const auto with_sign = [&](int magnitude) {
    if (f.unsigned_zero && magnitude == 0) return std::uint8_t{0};
    return static_cast<std::uint8_t>(magnitude | (negative ? f.sign : 0));
  };
  const double magnitude = math::abs(value);
  int exponent = static_cast<int>(math::bits(magnitude) >> 52) - 1023;
  if (exponent < 1 - f.bias) exponent = 1 - f.bias;
  std::int64_t rounded = std::int64_t{1} << 40;  // out of range unless the exponent fits
  if (exponent < 32) {
    const double unit = math::from_bits(static_cast<std::uint64_t>(1023 - exponent + f.mantissa_bits) << 52);
    // The hidden bit is the lowest exponent step, so adding the exponent carries as it should.
    rounded = static_cast<std::int64_t>(math::round_even(magnitude * unit)) +
              ((std::int64_t{exponent} + f.bias - 1) << f.mantissa_bits);
  }
  if (rounded <= f.largest) return with_sign(static_cast<int>(rounded));
  if (saturate || f.sign == 0x08) return with_sign(f.largest);
  if (f.has_infinity) return with_sign(f.largest + 1);
  return f.unsigned_zero ? f.nan : with_sign(f.nan);
}

}  // namespace aegis::kernels
