// SkipLayerNormalization and its RMS form: a sum, normalised along the last axis.
#pragma once

#include "ops/lower.hpp"

namespace aegis {

// Normalises each row of the last axis of x into `out`; scale and bias may be no_slot.
void normalise_rows(Lowering& l, RowNormParams::Kind kind, SlotId x, SlotId scale, SlotId bias, SlotId out,
                    SlotId mean = no_slot, SlotId inverse_deviation = no_slot);

// Inputs: x, skip, scale, then (layer) the shift, then a bias that joins the sum.
void lower_skip_norm(Lowering& l, RowNormParams::Kind kind);
template <RowNormParams::Kind kind>
void lower_skip_norm(Lowering& l) {
  lower_skip_norm(l, kind);
}

}  // namespace aegis
