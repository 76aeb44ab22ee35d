// The order in which the nodes of a scope can run: producers before readers, also of what bodies capture.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace aegis {

struct DependencyOrder {
  std::vector<NodeId> nodes;   // file order where that works; without what no order can run
  std::vector<NodeId> circle;  // the nodes of one circle, each reading from the one after it; empty: there is none
  // Nodes that read what a later node makes, with the value that they wait for.
  std::vector<std::pair<NodeId, ValueId>> early;
};

// Takes time in proportion to the scope's nodes and their inputs.
DependencyOrder dependency_order(const Model& model, const Scope& scope);

}  // namespace aegis
