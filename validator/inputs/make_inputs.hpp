// Inputs that Aegis makes up when the user gives none. What is known decides, in this order: ranges that the user
// declares, bounds from the graph, the input's name, its type and shape.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>

#include "validator/inputs/input_spec.hpp"

namespace aegis {

struct MakeOptions {
  int sets = 8;  // at least 1; of 4 or more the last three are scaled by 8, ragged and with a fully masked row
  std::uint64_t seed = 0;
  std::map<std::string, std::pair<double, double>> ranges;  // glob over input names -> [low, high]
};

// Every element depends on (seed, input name, set, place) alone. `types` must give every required input a shape.
// Errors: an input whose shape is not known (validation), a range without numbers in it (usage).
Result<FeedSets> make_inputs(const Model& model, const TypeTable& types, std::span<const InputSpec> specs,
                             const MakeOptions& options);

}  // namespace aegis
