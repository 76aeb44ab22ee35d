// What becomes of the stored constants: uses that want the same padded form share it; one form takes the place of the
// stored tensor when no use wants the old one.
#pragma once

#include <map>
#include <vector>

#include "rewriter/padding/trial.hpp"

namespace aegis::padding {

struct WeightForm {
  std::map<int, LaneMap> maps;  // by axis; empty: as stored
  double fill = 0;
  std::vector<Use> uses;
};

struct WeightPlan {
  ValueId value = ValueId::none;
  std::vector<WeightForm> padded;  // in the order of their first use
  bool keeps = false;              // some use wants the tensor as stored
};

// One entry for each constant with a padded use, in the order of ids.
std::vector<WeightPlan> plan_weights(const ClassGraph& graph, const Settled& settled);

// Elements of a form over elements as stored.
double growth(const WeightForm& form);

}  // namespace aegis::padding
