// Chains: connected nodes that share a trouble. Launch chains (many tiny kernels in a row), shape chains (shape
// arithmetic), convolution chains (layout transforms at their ends only), Transpose chains.
#pragma once

#include <vector>

#include "ops/facts.hpp"
#include "ops/graph/patterns.hpp"

namespace aegis {

class Chains {
 public:
  explicit Chains(FactTable& table);
  const std::vector<PatternInstance>& all() const { return all_; }

 private:
  std::vector<PatternInstance> all_;
};

// Do the Transposes of a chain, in order, compose to the identity? Unknown when a perm is.
Answer composes_to_identity(const FactTable& table, std::span<const NodeId> transposes);

}  // namespace aegis
