// FP16 and BF16 bit patterns, nearest even, NaN to the canonical NaN. Shared by constants, kernels and recipes;
// also compiled for the device.
#pragma once

#include <bit>
#include <cstdint>

#ifdef __CUDACC__
#define AEGIS_HD __host__ __device__
#else
#define AEGIS_HD
#endif

namespace aegis {

AEGIS_HD inline std::uint16_t bf16_bits(float value) {
  std::uint32_t u = std::bit_cast<std::uint32_t>(value);
  if ((u & 0x7fffffffu) > 0x7f800000u) return 0x7fc0;  // NaN: a payload in the low bits must not turn into inf
  u += 0x7fffu + ((u >> 16) & 1u);
  return static_cast<std::uint16_t>(u >> 16);
}
AEGIS_HD inline float bf16_value(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }

AEGIS_HD inline std::uint16_t f16_bits(float value) {
  const std::uint32_t u = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (u >> 16) & 0x8000u, magnitude = u & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7e00;
  if (magnitude >= 0x477ff000u) return static_cast<std::uint16_t>(sign | 0x7c00u);  // 65520 and above round to inf
  if (magnitude < 0x38800000u) {                                                    // below 2^-14: subnormal or zero
    if (magnitude <= 0x33000000u) return static_cast<std::uint16_t>(sign);          // at or below 2^-25: zero
    const std::uint32_t exponent = magnitude >> 23, mantissa = (magnitude & 0x7fffffu) | 0x800000u;
    const std::uint32_t shift = 126u - exponent;
    const std::uint32_t half = 1u << (shift - 1u), rest = mantissa & ((1u << shift) - 1u);
    std::uint32_t result = mantissa >> shift;
    if (rest > half || (rest == half && (result & 1u))) ++result;
    return static_cast<std::uint16_t>(sign | result);
  }
  const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}
AEGIS_HD inline float f16_value(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t{bits & 0x8000u} << 16, exponent = (bits >> 10) & 31u,
                      mantissa = bits & 0x3ffu;
  if (exponent == 31u) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent != 0u) return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (mantissa << 13));
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

// The value after one rounding to the narrow type and back.
AEGIS_HD inline float round_bf16(float value) { return bf16_value(bf16_bits(value)); }
AEGIS_HD inline float round_f16(float value) { return f16_value(f16_bits(value)); }

}  // namespace aegis
