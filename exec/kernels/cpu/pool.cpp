// `pool`: every output element walks its window in row-major order.

#include <algorithm>
#include <limits>
#include <vector>

#include "exec/kernels/convert.hpp"
#include "exec/kernels/cpu/spatial.hpp"
#include "exec/kernels/dispatch.hpp"
#include "exec/kernels/functors.hpp"
#include "exec/kernels/kernel.hpp"

namespace aegis::kernels {
namespace {

using Kind = PoolParams::Kind;

// Taps of one axis whose position lies in [low, high).
struct Taps {
  std::int64_t begin, end;
};
Taps taps(std::int64_t start, std::int64_t kernel, std::int64_t dilation, std::int64_t low, std::int64_t high) {
  const std::int64_t begin = start >= low ? 0 : (low - start + dilation - 1) / dilation;
  const std::int64_t end = high <= start ? 0 : std::min(kernel, (high - start + dilation - 1) / dilation);
  return {std::min(begin, kernel), std::max(end, std::min(begin, kernel))};
}

template <class T>
void pool_plane(const PoolParams& p, const Space& s, const T* x, T* y, std::int64_t* index, std::int64_t plane) {
  const functors::Constants<T> none{};
  const Extent3 end = right_aligned(p.pad_end, p.spatial, 0);
  std::int64_t to = 0;
  for (std::int64_t o0 = 0; o0 < s.out[0]; ++o0) {
    for (std::int64_t o1 = 0; o1 < s.out[1]; ++o1) {
      for (std::int64_t o2 = 0; o2 < s.out[2]; ++o2, ++to) {
        const Extent3 o{o0, o1, o2};
        Extent3 start{};
        Taps t[3];
        std::int64_t padded = 1;
        for (std::size_t a = 0; a < 3; ++a) {
          start[a] = o[a] * s.stride[a] - s.pad[a];
          t[a] = taps(start[a], s.kernel[a], s.dilation[a], 0, s.in[a]);
          const Taps with_pad = taps(start[a], s.kernel[a], s.dilation[a], -s.pad[a], s.in[a] + end[a]);
          padded *= with_pad.end - with_pad.begin;
        }
        T result = T(0);
        if (p.kind == Kind::max) {
          if constexpr (std::is_floating_point_v<T>)
            result = -std::numeric_limits<T>::infinity();
          else
            result = std::numeric_limits<T>::min();
        }
        std::int64_t best = -1, taken = 0;
        for (std::int64_t k0 = t[0].begin; k0 < t[0].end; ++k0) {
          for (std::int64_t k1 = t[1].begin; k1 < t[1].end; ++k1) {
            for (std::int64_t k2 = t[2].begin; k2 < t[2].end; ++k2, ++taken) {
              const std::int64_t i0 = start[0] + k0 * s.dilation[0], i1 = start[1] + k1 * s.dilation[1],
                                 i2 = start[2] + k2 * s.dilation[2];
              const std::int64_t at = (i0 * s.in[1] + i1) * s.in[2] + i2;
              const T value = x[at];
              if (p.kind == Kind::max) {
                if (best < 0 || value > result || value != value) {
                  result = value;
                  best = p.column_major ? (i2 * s.in[1] + i1) * s.in[0] + i0 : at;
                  if (value != value) goto done;
                }
              } else if (p.kind == Kind::average) {
                result = functors::add::of(none, result, value);
              } else if constexpr (std::is_floating_point_v<T>) {
                const T magnitude = math::abs(value);
                result = result + (p.p == 1   ? magnitude
                                   : p.p == 2 ? value * value
                                              : math::pow(magnitude, static_cast<T>(p.p)));
              }
            }
          }
        }
      done:
        if (p.kind == Kind::average)
          result = functors::quotient(result, static_cast<T>(p.include_pad ? padded : taken));
        if constexpr (std::is_floating_point_v<T>)
          if (p.kind == Kind::lp && p.p != 1)
            result = p.p == 2 ? math::sqrt(result) : math::pow(result, T(1) / static_cast<T>(p.p));
        y[to] = result;
        if (index) index[to] = plane * s.in[0] * s.in[1] * s.in[2] + std::max<std::int64_t>(best, 0);
      }
    }
  }
}

}  // namespace

Result<void> run(const PoolParams& p, Ins in, Outs out, Parallel& parallel) {
  const Space s = space(p);
  const std::int64_t size_in = s.in[0] * s.in[1] * s.in[2], size_out = s.out[0] * s.out[1] * s.out[2];
  const bool indexed = out.size() > 1 && out[1];
  with_compute(compute_type(in[0].type), [&](auto zero) {
    using T = decltype(zero);
    parallel.run(p.planes, 1, [&](std::int64_t begin, std::int64_t last) {
      std::vector<T> x(static_cast<std::size_t>(size_in)), y(static_cast<std::size_t>(size_out));
      std::vector<std::int64_t> index(indexed ? y.size() : 0);
      for (std::int64_t plane = begin; plane < last; ++plane) {
        load(in[0].type, in[0].data, plane * size_in, size_in, x.data());
        pool_plane(p, s, x.data(), y.data(), indexed ? index.data() : nullptr, plane);
        store(out[0].type, y.data(), size_out, out[0].data, plane * size_out);
        if (indexed) store(out[1].type, index.data(), size_out, out[1].data, plane * size_out);
      }
    });
  });
  return {};
}

}  // namespace aegis::kernels
