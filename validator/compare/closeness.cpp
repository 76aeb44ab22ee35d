#include "validator/compare/closeness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "validator/compare/metrics.hpp"

namespace aegis {

Closeness close_to(const Tensor& expected, const Tensor& found, double rtol, double atol) {
  Closeness result;
  if (expected.type != found.type) {
    result.reason = fmt::format("is {}, expected {}", name(found.type), name(expected.type));
    return result;
  }
  if (expected.dims != found.dims) {
    result.reason = fmt::format("is {}, expected {}", shape_text(found.dims), shape_text(expected.dims));
    return result;
  }
  const auto want = to_doubles(expected), have = to_doubles(found);
  if (!want || !have) {
    result.ok = expected.data && found.data && *expected.data == *found.data;
    if (!result.ok) result.reason = "other bytes than expected";
    return result;
  }
  result.ok = true;
  result.max_abs = 0;
  for (std::size_t i = 0; i < want->size(); ++i) {
    const double w = (*want)[i], h = (*have)[i];
    if (w == h || (std::isnan(w) && std::isnan(h))) continue;
    const double error = std::fabs(h - w);
    if (std::isfinite(error)) result.max_abs = std::max(*result.max_abs, error);
    if (error <= atol + rtol * std::fabs(w) && std::isfinite(w)) continue;
    if (result.ok)
      result.reason = fmt::format("holds {} at [{}], expected {}", h,
                                  fmt::join(unflatten(static_cast<std::int64_t>(i), expected.dims), ", "), w);
    result.ok = false;
  }
  return result;
}

}  // namespace aegis
