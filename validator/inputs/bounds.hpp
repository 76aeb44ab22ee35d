// Bounds from the graph: what an integer input may hold so that the nodes it indexes do not fail.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "ops/infer.hpp"

namespace aegis {

struct InputBound {
  std::int64_t low = 0, high = 0;     // values in [low, high)
  std::vector<std::int64_t> choices;  // not empty: one of these, sorted
  std::string because;                // "Gather at /embed"
};

// Follows the value through casts, reshapes, slices, concatenations and sums with constants to the operands that are
// read as indices; the narrowest bound wins. Constants that the value is compared with become choices when there are
// two or more. Absent: nothing on the way asks for anything.
std::optional<InputBound> bound_of(const Model& model, const TypeTable& types, ValueId input);

}  // namespace aegis
