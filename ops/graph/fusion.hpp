// Fusion groups: what a fusing runtime runs as one kernel. A tensor inside a group costs nothing; one that leaves it is
// written once and read once by each reading group.
#pragma once

#include <vector>

#include "ops/facts.hpp"

namespace aegis {

struct FusionGroup {
  std::uint32_t kind = AEGIS_FUSION_ALONE;  // AEGIS_FUSION_*
  std::vector<NodeId> nodes;                // in the order of the file
  bool kernel = true;                       // false: views and what producers write in place
};

class Fusion {
 public:
  explicit Fusion(FactTable& table);
  const std::vector<FusionGroup>& groups() const { return groups_; }
  // The group of a node; -1 for constants, host arithmetic and control flow.
  int of(NodeId node) const { return of_[index(node)]; }

 private:
  std::vector<FusionGroup> groups_;
  std::vector<int> of_;
};

}  // namespace aegis
