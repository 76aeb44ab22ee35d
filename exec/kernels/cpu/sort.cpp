// `sort`: the k extreme elements of each row in order. NaN counts as larger than every number; equal elements keep
// their order, so the result does not depend on the algorithm.

#include <algorithm>
#include <numeric>
#include <vector>

#include "exec/kernels/convert.hpp"
#include "exec/kernels/dispatch.hpp"
#include "exec/kernels/kernel.hpp"

namespace aegis::kernels {

Result<void> run(const SortParams& p, Ins in, Outs out, Parallel& parallel) {
  const auto axis = static_cast<std::size_t>(p.axis);
  const std::int64_t outer = count(in[0].dims.first(axis)), n = in[0].dims[axis],
                     inner = count(in[0].dims.subspan(axis + 1));
  const std::int64_t k = out[0].dims[axis];
  if (k > n) return Error{Fault::validation, "", "more elements were asked for than the axis holds, lower k", "", {}};
  if (k == 0) return {};
  with_compute(compute_type(in[0].type), [&](auto zero) {
    using T = decltype(zero);
    parallel.run(outer * inner, 16, [&](std::int64_t begin, std::int64_t end) {
      std::vector<T> row(static_cast<std::size_t>(n));
      std::vector<std::int64_t> order(row.size());
      const auto above = [](T x, T y) { return x > y || (x != x && y == y); };
      const auto before = [&](std::int64_t i, std::int64_t j) {
        const T x = row[static_cast<std::size_t>(i)], y = row[static_cast<std::size_t>(j)];
        if (above(x, y)) return p.largest;
        if (above(y, x)) return !p.largest;
        return i < j;
      };
      for (std::int64_t r = begin; r < end; ++r) {
        const std::int64_t o = r / inner, i = r % inner;
        for (std::int64_t e = 0; e < n; ++e)
          load(in[0].type, in[0].data, (o * n + e) * inner + i, 1, &row[static_cast<std::size_t>(e)]);
        std::iota(order.begin(), order.end(), std::int64_t{0});
        std::partial_sort(order.begin(), order.begin() + k, order.end(), before);
        for (std::int64_t e = 0; e < k; ++e) {
          const std::int64_t from = order[static_cast<std::size_t>(e)], to = (o * k + e) * inner + i;
          if (out[0]) store(out[0].type, &row[static_cast<std::size_t>(from)], 1, out[0].data, to);
          if (out.size() > 1 && out[1]) store(out[1].type, &from, 1, out[1].data, to);
        }
      }
    });
  });
  return {};
}

}  // namespace aegis::kernels
