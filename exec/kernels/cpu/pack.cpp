#include "exec/kernels/cpu/pack.hpp"

#include <algorithm>

namespace aegis::kernels {
namespace {

using Widen = float (*)(const std::byte*, std::int64_t);

template <Widen widen>
Pack pack_as(const std::byte* data, std::int64_t base, std::int64_t stride, std::int64_t depth_stride) {
  return
      [=](std::int64_t first, std::int64_t count, std::int64_t k0, std::int64_t depth, float* to, std::int64_t width) {
        const std::int64_t start = base + first * stride + k0 * depth_stride;
        if (count < width) std::fill(to, to + depth * width, 0.0f);
        if (stride == 1) {  // rows of the panel are contiguous
          for (std::int64_t p = 0; p < depth; ++p)
            for (std::int64_t r = 0; r < count; ++r) to[p * width + r] = widen(data, start + p * depth_stride + r);
          return;
        }
        // Transposing: short squares, so that both sides stay in the first-level cache.
        for (std::int64_t p0 = 0; p0 < depth; p0 += 16) {
          const std::int64_t p1 = std::min(depth, p0 + 16);
          for (std::int64_t r = 0; r < count; ++r)
            for (std::int64_t p = p0; p < p1; ++p)
              to[p * width + r] = widen(data, start + r * stride + p * depth_stride);
        }
      };
}

}  // namespace

Pack strided_pack(DType type, const std::byte* data, std::int64_t base, std::int64_t stride,
                  std::int64_t depth_stride) {
  if (type == DType::bf16) return pack_as<widen_bf16>(data, base, stride, depth_stride);
  if (type == DType::f16) return pack_as<widen_f16>(data, base, stride, depth_stride);
  return pack_as<widen_f32>(data, base, stride, depth_stride);
}

}  // namespace aegis::kernels
