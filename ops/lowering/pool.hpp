// Lowerings of pools with a window.
#pragma once

#include "ops/lower.hpp"

namespace aegis {

void lower_pool(Lowering& l, PoolParams::Kind kind);
template <PoolParams::Kind kind>
void lower_pool(Lowering& l) {
  lower_pool(l, kind);
}

}  // namespace aegis
