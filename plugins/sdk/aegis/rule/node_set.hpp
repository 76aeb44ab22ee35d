// A set of nodes that a rule gathers on its way through the graph: bounded, in the order in which they came.
#pragma once

#include <aegis/aegis.h>

#include <algorithm>
#include <cstddef>

namespace aegis::sdk {

class NodeSet {
 public:
  static constexpr std::size_t most = 64;

  // False when the node was there already, or the set is full.
  bool add(aegis_node node) {
    if (count_ == most || contains(node)) return false;
    nodes_[count_++] = node;
    return true;
  }
  bool contains(aegis_node node) const {
    return std::any_of(nodes_, nodes_ + count_, [&](aegis_node other) { return other.id == node.id; });
  }
  // Valid as long as the set.
  aegis_nodes list() const { return {nodes_, count_}; }

 private:
  aegis_node nodes_[most]{};
  std::size_t count_ = 0;
};

}  // namespace aegis::sdk
