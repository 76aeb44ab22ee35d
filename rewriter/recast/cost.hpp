// What the choice of types weighs: arithmetic that becomes narrow, and bytes that Casts move. Estimates for ordering
// only: an extent that is not known counts as `assumed_extent`.
#pragma once

#include <cstdint>

#include "model/model.hpp"
#include "ops/infer.hpp"

namespace aegis::recast {

inline constexpr std::int64_t assumed_extent = 16;

// Elements of a value, saturating; of a matrix when its rank is unknown.
std::int64_t elements(const TypeTable& types, ValueId value);
// Floating-point operations of one node; 0 for movement, views, control flow and Casts, at least 1 for the others.
std::int64_t flops(const TypeTable& types, const Node& node);
// What one Cast between FLOAT and a narrow type reads and writes; never 0.
std::int64_t cast_bytes(const TypeTable& types, ValueId value);

}  // namespace aegis::recast
