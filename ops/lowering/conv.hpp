// Lowerings of Conv and ConvTranspose.
#pragma once

#include "ops/lower.hpp"

namespace aegis {

void lower_conv(Lowering& l, bool transposed);
template <bool transposed>
void lower_conv(Lowering& l) {
  lower_conv(l, transposed);
}

}  // namespace aegis
