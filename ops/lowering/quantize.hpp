// Scales and zero points of quantised operators.
#pragma once

#include "ops/lower.hpp"

namespace aegis {

// An operand of QuantizeLinear or DequantizeLinear seen against the data: one number, one per slice of `axis`, or one
// per block along it.
SlotId against_data(Lowering& l, SlotId operand, SlotId data);
// An operand of a matrix product: one number, or one per row (`rows`) or per column.
SlotId against_matrix(Lowering& l, SlotId operand, bool rows);

}  // namespace aegis
