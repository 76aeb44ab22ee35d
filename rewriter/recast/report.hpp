// Why nodes stay FLOAT, one cause each.
#pragma once

#include "rewriter/pass.hpp"
#include "rewriter/recast/choose.hpp"

namespace aegis::recast {

// Nodes that hold FLOAT data and stay wide, in file order. Data that no arithmetic in the narrow type touches
// (shape arithmetic, tables that are never read) is not listed unless something holds it.
std::vector<PassOutput::Wide> wide_nodes(const Model& model, const Choice& choice);

// Nodes that will compute on the narrow type, those of the source included; Casts and constants are not counted.
std::uint64_t narrow_nodes(const Model& model, const TypeTable& types, const Choice& choice, DType to);

}  // namespace aegis::recast
