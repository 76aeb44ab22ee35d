// The written-out form of one fused operator that begins (or, for RMS norms, is anchored) at a node.
#pragma once

#include <optional>

#include "ops/graph/patterns.hpp"

namespace aegis {

std::optional<PatternInstance> match_norm(FactTable& table, NodeId node);

}  // namespace aegis
