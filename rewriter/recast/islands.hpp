// FLOAT regions of a file that computes in 16 bits already: somebody, or an earlier run, left them wide for a reason.
//
// A region is what FLOAT values connect. It is an island when a Cast joins it with 16-bit arithmetic; Casts of stored
// weights, of the model's inputs and outputs and pairs of Casts that only round are no such border. So a second run
// changes nothing, even where the rules that made the first one keep a node wide do not see through its Casts.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "ops/infer.hpp"

namespace aegis::recast {

// The nodes of all islands, sorted by id.
std::vector<NodeId> islands(const Model& model, const TypeTable& types);

}  // namespace aegis::recast
