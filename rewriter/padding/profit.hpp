// Does padding pay? Asked of the whole plan at once: the model as it is and the model as planned are both costed, and
// classes that share a product are judged together, equal sets of a repeated block as one.
#pragma once

#include <map>

#include "rewriter/padding/planner.hpp"

namespace aegis::padding {

// The root classes that do not pay, with the reason. Errors: the plan does not apply.
Result<std::map<Point, Reason>> unprofitable(const ClassGraph& graph, const PaddingPlan& plan, const PassInput& input);

// Gives each wanted axis that is off the fast path the multiple that is predicted to serve it best: the smallest within
// 3 % of the best of 1, 2, 4 and 8 times tier 1. Nothing changes without a target.
void best_multiples(const ClassGraph& graph, std::vector<Want>& wants, const PassInput& input);

}  // namespace aegis::padding
