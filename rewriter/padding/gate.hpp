// The gate: which legal classes are padded. Limits on growth hold in every mode and may be raised by option; whether a
// class pays is asked in the mode `predicted`.
#pragma once

#include <optional>
#include <span>

#include "rewriter/padding/trial.hpp"
#include "rewriter/pass.hpp"

namespace aegis::padding {

struct GateInput {
  const ClassGraph* graph = nullptr;
  const Settled* before = nullptr;  // without the class in question
  const Settled* after = nullptr;   // with it
  std::span<const NodeId> nodes;    // that touch it
};

// The word of the first limit that is passed, or nullopt.
std::optional<Reason> over_limits(const GateInput& input, const PaddingOptions& options);

}  // namespace aegis::padding
