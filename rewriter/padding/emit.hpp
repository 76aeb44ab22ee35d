// From a settled plan to the Patch that carries it out: padded weights, attributes, integer constants, declared types,
// origins.
#pragma once

#include <optional>
#include <vector>

#include "rewriter/padding/planner.hpp"

namespace aegis::padding {

// Whether attributes and integer constants of these nodes can follow the maps; the reason when not.
std::optional<Reason> check_edits(const ClassGraph& graph, const Settled& settled, const std::vector<NodeId>& nodes);

// The patch of a plan with at least one padded class, and one record for each of them.
void emit(const ClassGraph& graph, const PaddingPlan& plan, PassOutput& out);

}  // namespace aegis::padding
