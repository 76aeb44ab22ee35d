// A padded value against the one it came from: its crop box holds the old elements, its other lanes a declared
// constant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "model/result.hpp"
#include "model/tensor.hpp"

namespace aegis {

// The valid lanes of `padded`, in order. Errors: an axis that does not exist, runs that do not add up to its extent.
Result<Tensor> crop(const Tensor& padded, const std::vector<Origin::Axis>& axes);

struct LaneFault {
  std::vector<std::int64_t> at;
  double found = 0, expected = 0;
};
// The first padding lane that does not hold its axis's constant to within `tolerance` * max(1, |constant|), the
// constant being rounded to the tensor's type first. Lanes of an axis without a known constant are free, and so are
// lanes that lie in the padding of several axes. Errors as crop().
Result<std::optional<LaneFault>> lane_fault(const Tensor& padded, const std::vector<Origin::Axis>& axes,
                                            double tolerance);

// `valid` spread over the lanes of a tensor of extents `dims`; the rest holds each axis's constant, zero when unknown.
Result<Tensor> embed(const Tensor& valid, const std::vector<std::int64_t>& dims, const std::vector<Origin::Axis>& axes);

}  // namespace aegis
