// Kernel windows of convolutions and pools: strides, dilations and padding from a node's attributes.
#pragma once

#include <array>

#include "ops/lower.hpp"

namespace aegis {

struct Window {
  int spatial = 0;  // 1 to 3
  std::array<std::int64_t, 3> in{1, 1, 1}, kernel{1, 1, 1}, stride{1, 1, 1}, dilation{1, 1, 1}, pad{}, pad_end{},
      out{1, 1, 1};
};

// x and y are [batch, channels, spatial...]. `transposed`: x and y change their roles, padding follows ONNX's rules for
// ConvTranspose. Nullopt: rejected.
std::optional<Window> window(Lowering& l, SlotId x, SlotId y, std::span<const std::int64_t> kernel, bool transposed);

}  // namespace aegis
