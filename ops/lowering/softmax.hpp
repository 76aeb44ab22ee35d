// Softmax and its kin: one axis from opset 13 on, before that all axes from `axis` on as one row.
#pragma once

#include "ops/lower.hpp"

namespace aegis {

void lower_softmax(Lowering& l, RowNormParams::Kind kind);
template <RowNormParams::Kind kind>
void lower_softmax(Lowering& l) {
  lower_softmax(l, kind);
}

}  // namespace aegis
