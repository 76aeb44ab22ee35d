// Groups: equal things told once. First the groups of equal nodes, then patterns, fusion groups and chains with their
// equal copies merged. Ids are positions in one list.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "ops/facts.hpp"
#include "ops/graph/patterns.hpp"

namespace aegis {

struct GroupData {
  std::uint64_t hash = 0;
  std::uint32_t kind = AEGIS_GROUP_NODES;        // AEGIS_GROUP_*
  PatternInstance pattern = {};                  // the first copy; not for groups of nodes
  int fusion = -1;                               // of the first copy, for fusion groups
  std::vector<NodeId> members = {};              // the equal nodes; of patterns, the anchors of the copies
  std::vector<std::vector<NodeId>> copies = {};  // nodes of each copy; not for groups of nodes
};

class Groups {
 public:
  explicit Groups(FactTable& table);
  std::size_t size() const { return groups_.size(); }
  const GroupData& group(GroupId id) const { return groups_[static_cast<std::size_t>(id)]; }
  GroupId group_of(NodeId node) const { return of_node_[index(node)]; }
  std::span<const GroupId> of_nodes() const { return of_nodes_; }
  std::span<const GroupId> of_kind(std::uint32_t pattern_kind) const;

 private:
  void add_copy(FactTable& table, std::uint32_t kind, const PatternInstance& pattern, int fusion);

  std::vector<GroupData> groups_;
  std::vector<GroupId> of_node_, of_nodes_;
  std::map<std::uint32_t, std::vector<GroupId>> of_kind_;
  std::map<std::uint64_t, GroupId> by_hash_;  // of patterns
};

}  // namespace aegis
