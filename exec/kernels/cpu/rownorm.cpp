// `rownorm`: softmax, layer and RMS normalisation and their kin. Each row is read into the compute type, its sums
// follow lanes.hpp, and every element is rounded once.

#include <limits>
#include <vector>

#include "exec/kernels/convert.hpp"
#include "exec/kernels/dispatch.hpp"
#include "exec/kernels/kernel.hpp"
#include "exec/kernels/lanes.hpp"

namespace aegis::kernels {
namespace {

using Kind = RowNormParams::Kind;

// A row inside a [length, inner] block.
template <class T>
struct Row {
  T* at = nullptr;
  std::int64_t stride = 1;
  T& operator[](std::int64_t i) const { return at[i * stride]; }
};

template <class T>
void softmax(Row<T> x, std::int64_t n, bool logarithm) {
  const T most = fold<functors::max, T>(n, -std::numeric_limits<T>::infinity(), [&](std::int64_t i) { return x[i]; });
  if (logarithm) {
    const T total = sum<T>(n, [&](std::int64_t i) { return math::exp(x[i] - most); });
    const T shift = math::log(total);
    for (std::int64_t i = 0; i < n; ++i) x[i] = (x[i] - most) - shift;
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) x[i] = math::exp(x[i] - most);
  const T total = sum<T>(n, [&](std::int64_t i) { return x[i]; });
  for (std::int64_t i = 0; i < n; ++i) x[i] = x[i] / total;
}

template <class T>
void hardmax(Row<T> x, std::int64_t n) {
  std::int64_t best = 0;
  for (std::int64_t i = 1; i < n; ++i)
    if (x[i] > x[best]) best = i;
  for (std::int64_t i = 0; i < n; ++i) x[i] = i == best ? T(1) : T(0);
}

template <class T>
void lp(Row<T> x, std::int64_t n, int p) {
  const T total = sum<T>(n, [&](std::int64_t i) { return p == 1 ? math::abs(x[i]) : x[i] * x[i]; });
  const T norm = p == 1 ? total : math::sqrt(total);
  for (std::int64_t i = 0; i < n; ++i) x[i] = norm == T(0) ? T(0) : x[i] / norm;
}

template <class T>
struct Moments {
  T mean, inverse_deviation;
};
// Leaves the normalised row in x.
template <class T>
Moments<T> normalise(Row<T> x, std::int64_t n, bool centre, T epsilon) {
  const T size = static_cast<T>(n);
  T mean = T(0);
  if (centre) {
    mean = sum<T>(n, [&](std::int64_t i) { return x[i]; }) / size;
    for (std::int64_t i = 0; i < n; ++i) x[i] = x[i] - mean;
  }
  const T variance = sum<T>(n, [&](std::int64_t i) { return x[i] * x[i]; }) / size;
  const T deviation = math::sqrt(variance + epsilon);
  for (std::int64_t i = 0; i < n; ++i) x[i] = x[i] / deviation;
  return {mean, T(1) / deviation};
}

template <class T>
std::vector<T> read_all(const In& in) {
  std::vector<T> values(static_cast<std::size_t>(in ? count(in.dims) : 0));
  if (in) load(in.type, in.data, 0, static_cast<std::int64_t>(values.size()), values.data());
  return values;
}

template <class T>
void rownorm_as(const RowNormParams& p, Ins in, Outs out, Parallel& parallel) {
  const bool scaled = p.kind == Kind::layer || p.kind == Kind::rms;
  const std::vector<T> scale = read_all<T>(scaled && in.size() > 1 ? in[1] : In{}),
                       bias = read_all<T>(scaled && in.size() > 2 ? in[2] : In{});
  const std::int64_t block = p.length * p.inner;
  parallel.run(p.outer, std::max<std::int64_t>(1, 8192 / (block + 1)), [&](std::int64_t begin, std::int64_t end) {
    std::vector<T> values(static_cast<std::size_t>(block));
    for (std::int64_t o = begin; o < end; ++o) {
      load(in[0].type, in[0].data, o * block, block, values.data());
      for (std::int64_t i = 0; i < p.inner; ++i) {
        const Row<T> x{values.data() + i, p.inner};
        switch (p.kind) {
          case Kind::softmax: softmax(x, p.length, false); break;
          case Kind::log_softmax: softmax(x, p.length, true); break;
          case Kind::hardmax: hardmax(x, p.length); break;
          case Kind::lp: lp(x, p.length, p.p); break;
          case Kind::layer:
          case Kind::rms: {
            const std::int64_t row = o * p.inner + i;
            const Moments<T> m = normalise(x, p.length, p.kind == Kind::layer, static_cast<T>(p.epsilon));
            if (out.size() > 1 && out[1]) store(out[1].type, &m.mean, 1, out[1].data, row);
            if (out.size() > 2 && out[2]) store(out[2].type, &m.inverse_deviation, 1, out[2].data, row);
            for (std::int64_t e = 0; e < p.length && !scale.empty(); ++e) {
              const auto channel = static_cast<std::size_t>((row * p.rows_to_channel + e / p.per_channel) % p.channels);
              x[e] = x[e] * scale[channel];
              if (!bias.empty()) x[e] = x[e] + bias[channel];
            }
            break;
          }
        }
      }
      store(out[0].type, values.data(), block, out[0].data, o * block);
    }
  });
}

}  // namespace

Result<void> run(const RowNormParams& p, Ins in, Outs out, Parallel& parallel) {
  if (p.outer == 0 || p.length == 0 || p.inner == 0) return {};
  if (compute_type(in[0].type) == Compute::f64)
    rownorm_as<double>(p, in, out, parallel);
  else
    rownorm_as<float>(p, in, out, parallel);
  return {};
}

}  // namespace aegis::kernels
