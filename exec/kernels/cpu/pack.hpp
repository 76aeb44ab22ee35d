// Packing of a strided matrix operand into panels of f32.
#pragma once

#include <cstring>

#include "exec/kernels/gemm.hpp"
#include "exec/kernels/kernel.hpp"
#include "model/round.hpp"

namespace aegis::kernels {

// operand(i, p) = data[base + i * stride + p * depth_stride], of type f32, bf16 or f16 (others: see run(GemmParams)).
Pack strided_pack(DType type, const std::byte* data, std::int64_t base, std::int64_t stride, std::int64_t depth_stride);

inline float widen_f32(const std::byte* data, std::int64_t i) {
  float value;
  std::memcpy(&value, data + 4 * i, 4);
  return value;
}
inline float widen_bf16(const std::byte* data, std::int64_t i) {
  std::uint16_t bits;
  std::memcpy(&bits, data + 2 * i, 2);
  return bf16_value(bits);
}
inline float widen_f16(const std::byte* data, std::int64_t i) {
  std::uint16_t bits;
  std::memcpy(&bits, data + 2 * i, 2);
  return f16_value(bits);
}

}  // namespace aegis::kernels
