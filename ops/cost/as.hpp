// How the values of a model are computed and stored when it is judged as running in another type (View::planned).
#pragma once

#include "ops/facts.hpp"

namespace aegis {

// Replaces what the view says, for questions such as "and in BF16?"; 0: as the view says.
struct Retype {
  Compute compute = 0, storage = 0;
};

// The way a GEMM or convolution over elements of `stored` is computed. FLOAT counts as TF32 where the target has it and
// the view allows it.
Compute compute_as(const FactTable& table, DType stored, Retype retype = {});
// Bytes of one element of `stored` in memory; 0 for strings.
double bytes_as(const FactTable& table, DType stored, Retype retype = {});
// Bytes of a value; NaN when an extent is unknown.
double value_bytes(const FactTable& table, ValueId value, Retype retype = {});

}  // namespace aegis
