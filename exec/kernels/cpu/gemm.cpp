// `gemm`: batches of matrix products. f32, bf16 and f16 go through multiply(); f64 and integers through a plain loop
// with the same order of additions.

#include <algorithm>
#include <vector>

#include "exec/kernels/convert.hpp"
#include "exec/kernels/cpu/pack.hpp"
#include "exec/kernels/functors.hpp"
#include "exec/kernels/gemm.hpp"
#include "exec/kernels/kernel.hpp"

namespace aegis::kernels {
namespace {

struct Offsets {
  std::int64_t a = 0, b = 0;
};
Offsets batch_offsets(const GemmParams& g, std::int64_t batch) {
  Offsets at;
  for (int i = g.batch_rank; i-- > 0;) {
    const auto axis = static_cast<std::size_t>(i);
    const std::int64_t here = batch % g.batch[axis];
    batch /= g.batch[axis];
    at.a += here * g.a_stride[axis];
    at.b += here * g.b_stride[axis];
  }
  return at;
}

// alpha * sum + beta * bias, rounded once.
template <class T>
void finish_run(const GemmParams& g, const In& bias, const Out& out, std::int64_t row, std::int64_t column,
                std::int64_t count, const T* sums, std::int64_t first) {
  constexpr std::int64_t chunk = 256;
  T result[chunk], added[chunk];
  const functors::Constants<T> none{};
  const T alpha = static_cast<T>(g.alpha), beta = static_cast<T>(g.beta);
  for (std::int64_t j = 0; j < count; j += chunk) {
    const std::int64_t n = std::min(chunk, count - j);
    std::copy_n(sums + j, n, result);
    if (alpha != T(1))
      for (std::int64_t i = 0; i < n; ++i) result[i] = functors::mul::of(none, alpha, result[i]);
    if (bias) {
      const std::int64_t at = row * g.bias_row_stride + (column + j) * g.bias_column_stride;
      if (g.bias_column_stride == 1) {
        load(bias.type, bias.data, at, n, added);
      } else {
        load(bias.type, bias.data, at, 1, added);
        std::fill(added + 1, added + n, added[0]);
      }
      if (beta != T(1))
        for (std::int64_t i = 0; i < n; ++i) added[i] = functors::mul::of(none, beta, added[i]);
      for (std::int64_t i = 0; i < n; ++i) result[i] = functors::add::of(none, result[i], added[i]);
    }
    store(out.type, result, n, out.data, first + row * g.n + column + j);
  }
}

void gemm_f32(const GemmParams& g, Ins in, const Out& out, std::int64_t batch, Parallel& parallel) {
  const Offsets at = batch_offsets(g, batch);
  const In& a = in[0];
  const In& b = in[1];
  const std::int64_t first = batch * g.m * g.n;
  GemmJob job{.m = g.m, .n = g.n, .k = g.k};
  job.a = g.trans_a ? strided_pack(a.type, a.data, at.a, 1, g.m) : strided_pack(a.type, a.data, at.a, g.k, 1);
  job.b = g.trans_b ? strided_pack(b.type, b.data, at.b, g.k, 1) : strided_pack(b.type, b.data, at.b, 1, g.n);
  if (!g.trans_b && b.type == DType::f32) {
    job.b_rows = reinterpret_cast<const float*>(b.data) + at.b;
    job.b_stride = g.n;
  }
  std::vector<float> sums;
  if (out.type == DType::f32) {
    job.c = reinterpret_cast<float*>(out.data) + first;  // the sums lie where the result will be
  } else {
    sums.resize(static_cast<std::size_t>(g.m * g.n));
    job.c = sums.data();
  }
  const In bias = in.size() > 2 ? in[2] : In{};
  job.finish = [&](std::int64_t row, std::int64_t column, std::int64_t count) {
    finish_run<float>(g, bias, out, row, column, count, job.c + row * g.n + column, first);
  };
  multiply(job, parallel);
}

template <class T>
void gemm_plain(const GemmParams& g, Ins in, const Out& out, std::int64_t batch) {
  const Offsets at = batch_offsets(g, batch);
  const auto size = [](std::int64_t x, std::int64_t y) { return static_cast<std::size_t>(x * y); };
  std::vector<T> a(size(g.m, g.k)), b(size(g.k, g.n)), sums(static_cast<std::size_t>(g.n));
  load(in[0].type, in[0].data, at.a, g.m * g.k, a.data());
  load(in[1].type, in[1].data, at.b, g.k * g.n, b.data());
  const In bias = in.size() > 2 ? in[2] : In{};
  const functors::Constants<T> none{};
  for (std::int64_t i = 0; i < g.m; ++i) {
    std::fill(sums.begin(), sums.end(), T(0));
    for (std::int64_t p = 0; p < g.k; ++p) {
      const T x = a[static_cast<std::size_t>(g.trans_a ? p * g.m + i : i * g.k + p)];
      for (std::int64_t j = 0; j < g.n; ++j) {
        const T y = b[static_cast<std::size_t>(g.trans_b ? j * g.k + p : p * g.n + j)];
        T& sum = sums[static_cast<std::size_t>(j)];
        sum = functors::add::of(none, sum, functors::mul::of(none, x, y));
      }
    }
    finish_run<T>(g, bias, out, i, 0, g.n, sums.data(), batch * g.m * g.n);
  }
}

}  // namespace

Result<void> run(const GemmParams& g, Ins in, Outs out, Parallel& parallel) {
  std::int64_t batches = 1;
  for (int i = 0; i < g.batch_rank; ++i) batches *= g.batch[static_cast<std::size_t>(i)];
  if (g.m == 0 || g.n == 0) return {};
  const auto for_batches = [&](auto&& one) {
    parallel.run(batches, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t batch = begin; batch < end; ++batch) one(batch);
    });
  };
  switch (compute_type(out[0].type)) {
    case Compute::f32:
      if (batches >= parallel.threads() && parallel.threads() > 1) {
        for_batches([&](std::int64_t batch) {
          Parallel alone(1);
          gemm_f32(g, in, out[0], batch, alone);
        });
      } else {
        for (std::int64_t batch = 0; batch < batches; ++batch) gemm_f32(g, in, out[0], batch, parallel);
      }
      break;
    case Compute::f64: for_batches([&](std::int64_t batch) { gemm_plain<double>(g, in, out[0], batch); }); break;
    case Compute::i64: for_batches([&](std::int64_t batch) { gemm_plain<std::int64_t>(g, in, out[0], batch); }); break;
    case Compute::u64: for_batches([&](std::int64_t batch) { gemm_plain<std::uint64_t>(g, in, out[0], batch); }); break;
  }
  return {};
}

}  // namespace aegis::kernels
