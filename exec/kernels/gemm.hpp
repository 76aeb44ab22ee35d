// The f32 matrix product at the heart of gemm and conv. C += A * B with the bits of the naive triple loop: every
// element adds its products in ascending k, multiplied and then added, without fused operations; vectors run over
// columns only.
#pragma once

#include <cstdint>
#include <functional>

#include "exec/parallel.hpp"

namespace aegis::kernels {

enum class Isa : std::uint8_t { generic, avx2, avx512 };
Isa best_isa();  // of this processor

// Fills a panel: to[p * width + r] = operand(first + r, k0 + p) for r < count and p < depth, 0 for count <= r < width.
// `first` counts rows of A, or columns of B.
using Pack = std::function<void(std::int64_t first, std::int64_t count, std::int64_t k0, std::int64_t depth, float* to,
                                std::int64_t width)>;

struct GemmJob {
  std::int64_t m = 0, n = 0, k = 0;
  Pack a = {}, b = {};
  const float* b_rows = nullptr;  // B itself where it is dense f32 [k, b_stride]: spares few rows the packing
  std::int64_t b_stride = 0;
  float* c = nullptr;  // [m, n], holds +0 when the product starts
  // Called once for each run of finished elements of a row, from any thread.
  std::function<void(std::int64_t row, std::int64_t column, std::int64_t count)> finish = {};
  Isa isa = best_isa();
};

void multiply(const GemmJob& job, Parallel& parallel);

}  // namespace aegis::kernels
