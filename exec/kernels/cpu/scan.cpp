#include <vector>

#include "exec/kernels/convert.hpp"
#include "exec/kernels/dispatch.hpp"
#include "exec/kernels/functors.hpp"
#include "exec/kernels/kernel.hpp"

namespace aegis::kernels {

Result<void> run(const ScanParams& p, Ins in, Outs out, Parallel& parallel) {
  const auto axis = static_cast<std::size_t>(p.axis);
  const std::int64_t outer = count(in[0].dims.first(axis)), n = in[0].dims[axis],
                     inner = count(in[0].dims.subspan(axis + 1));
  if (n == 0) return {};
  with_compute(compute_type(in[0].type), [&](auto zero) {
    using T = decltype(zero);
    parallel.run(outer, 1, [&](std::int64_t begin, std::int64_t end) {
      const functors::Constants<T> none{};
      std::vector<T> sums(static_cast<std::size_t>(inner)), row(sums.size());
      for (std::int64_t o = begin; o < end; ++o) {
        std::fill(sums.begin(), sums.end(), T(0));
        for (std::int64_t i = 0; i < n; ++i) {
          const std::int64_t at = (o * n + (p.reverse ? n - 1 - i : i)) * inner;
          load(in[0].type, in[0].data, at, inner, row.data());
          if (p.exclusive) store(out[0].type, sums.data(), inner, out[0].data, at);
          for (std::size_t c = 0; c < sums.size(); ++c) sums[c] = functors::add::of(none, sums[c], row[c]);
          if (!p.exclusive) store(out[0].type, sums.data(), inner, out[0].data, at);
        }
      }
    });
  });
  return {};
}

}  // namespace aegis::kernels
