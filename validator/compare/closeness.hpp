// The comparison of test data: every element within rtol and atol of what was expected.
#pragma once

#include <optional>
#include <string>

#include "model/tensor.hpp"

namespace aegis {

// Is `found` what was expected? The same type and shape, every element within the tolerance; NaN matches NaN.
struct Closeness {
  bool ok = false;
  std::optional<double> max_abs;
  std::string reason;
};
Closeness close_to(const Tensor& expected, const Tensor& found, double rtol, double atol);

}  // namespace aegis
