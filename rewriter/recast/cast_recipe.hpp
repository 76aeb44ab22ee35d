// A constant in another float type, made block by block when the file is written.
#pragma once

#include "model/tensor.hpp"

namespace aegis::recast {

// FLOAT, DOUBLE, FLOAT16 or BFLOAT16 to FLOAT16 or BFLOAT16: nearest even, one rounding.
TensorSource cast_source(const TensorSource& source, DType to);

// The 16-bit pattern of a double in a narrow type, rounded once.
std::uint16_t narrow_bits(double value, DType to);

}  // namespace aegis::recast
