// From a choice of types to the edits that carry it out.
#pragma once

#include "model/patch.hpp"
#include "rewriter/recast/choose.hpp"

namespace aegis::recast {

struct Materialised {
  Patch patch;
  std::uint64_t casts_added = 0, casts_dropped = 0;
};

// Casts stand right after the producer, or at the start of the scope for inputs and captured values, one per value,
// type and scope; constants are copied, once per type; public names stay on the FLOAT values.
Materialised materialise(const Model& model, const TypeTable& types, const Choice& choice, DType to);

}  // namespace aegis::recast
