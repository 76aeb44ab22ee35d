// One to three spatial axes seen as three: leading ones are added.
#pragma once

#include <array>
#include <cstdint>

namespace aegis::kernels {

using Extent3 = std::array<std::int64_t, 3>;

inline Extent3 right_aligned(const Extent3& values, int spatial, std::int64_t missing) {
  Extent3 result{missing, missing, missing};
  for (int i = 0; i < spatial; ++i)
    result[static_cast<std::size_t>(3 - spatial + i)] = values[static_cast<std::size_t>(i)];
  return result;
}

struct Space {
  Extent3 in{}, kernel{}, stride{}, dilation{}, pad{}, out{};
};
template <class Params>  // ConvParams or PoolParams
Space space(const Params& p) {
  return {right_aligned(p.in, p.spatial, 1),     right_aligned(p.kernel, p.spatial, 1),
          right_aligned(p.stride, p.spatial, 1), right_aligned(p.dilation, p.spatial, 1),
          right_aligned(p.pad, p.spatial, 0),    right_aligned(p.out, p.spatial, 1)};
}

}  // namespace aegis::kernels
