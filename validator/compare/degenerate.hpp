// Outputs on which relative metrics lie. A saturated sigmoid is all zeros and ones, a dead ReLU all zeros: such an
// output agrees, or disagrees, whatever the network in front of it does. The value before the last activation is
// judged instead.
#pragma once

#include <optional>
#include <string>

#include "model/model.hpp"
#include "validator/compare/metrics.hpp"

namespace aegis {

// The activation that ends in an output, through casts and reshapes.
struct FinalActivation {
  NodeId node = NodeId::none;
  ValueId operand = ValueId::none;
  std::optional<double> range;  // the widest range that its result can have; absent: unbounded
};
std::optional<FinalActivation> final_activation(const Model& model, ValueId output);

// Does the value change with any graph input? One that does not is constant by right.
bool depends_on_inputs(const Model& model, ValueId value);

// Why `output` cannot be judged by relative metrics: "constant", "saturated", "error below resolution", "reference not
// finite"; absent when it can. `failed`: a gate has failed on it. `operand`: metrics of the value in front of the final
// activation, null when there is none.
std::optional<std::string> degenerate_reason(const Metrics& output, bool failed,
                                             const std::optional<FinalActivation>& last, const Metrics* operand);

}  // namespace aegis
