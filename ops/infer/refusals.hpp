// The nodes that their schema refuses, whatever numbers the caller leaves open. Inference alone also tells those that
// only a number that Aegis assumed makes fail.
#pragma once

#include <string>
#include <vector>

#include "ops/infer.hpp"

namespace aegis {

struct RefusedNode {
  NodeId node = NodeId::none;
  enum class Breach : std::uint8_t { arity, attribute, type, shape } breach = Breach::shape;
  std::string message;
};

// `types`: what infer() gave for the model. In the order in which the nodes can run.
std::vector<RefusedNode> refused_nodes(const Model& model, const TypeTable& types);

}  // namespace aegis
