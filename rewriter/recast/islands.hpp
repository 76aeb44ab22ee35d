// FP32 islands that the author wrote into a mixed model: Cast up ... Cast down around arithmetic that needs the range.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "ops/infer.hpp"

namespace aegis::recast {

// Nodes of FLOAT regions that lie between a Cast from a 16-bit float and a Cast to one, when the region holds more than
// movement and elementwise maps. Sorted by id.
std::vector<NodeId> author_islands(const Model& model, const TypeTable& types);

}  // namespace aegis::recast
