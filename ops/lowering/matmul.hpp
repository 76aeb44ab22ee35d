// numpy's matrix product, shared by MatMul and its quantised forms.
#pragma once

#include "ops/lower.hpp"

namespace aegis {

void lower_matmul(Lowering& l, SlotId left, SlotId right, SlotId out);
// The product of what lies above the zero points (no_slot: 0), exact in integers; `out` is INT32 or wider.
void lower_centred_matmul(Lowering& l, SlotId left, SlotId left_zero, SlotId right, SlotId right_zero, SlotId out);

}  // namespace aegis
