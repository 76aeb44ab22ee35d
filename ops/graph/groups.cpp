#include "ops/graph/groups.hpp"

#include "ops/graph/chains.hpp"
#include "ops/graph/fusion.hpp"
#include "ops/graph/signature.hpp"
#include "ops/graph/structure.hpp"

namespace aegis {

Groups::Groups(FactTable& table) {
  const auto& signatures = table.analysis<Signatures>();
  const auto& structure = table.analysis<Structure>();
  of_node_.assign(table.model().nodes().size(), GroupId::none);
  std::map<std::uint64_t, GroupId> by_node;
  for (const NodeId id : structure.order()) {
    const std::uint64_t hash = signatures.placed(id);
    const auto [it, fresh] = by_node.try_emplace(hash, GroupId{static_cast<std::uint32_t>(groups_.size())});
    if (fresh) {
      groups_.push_back({.hash = hash});
      of_nodes_.push_back(it->second);
    }
    groups_[static_cast<std::size_t>(it->second)].members.push_back(id);
    of_node_[index(id)] = it->second;
  }
  for (const auto& pattern : table.analysis<Patterns>().all()) add_copy(table, AEGIS_GROUP_PATTERN, pattern, -1);
  const auto& fusion = table.analysis<Fusion>();
  for (std::size_t i = 0; i < fusion.groups().size(); ++i) {
    const auto& group = fusion.groups()[i];
    if (group.nodes.size() < 2) continue;
    PatternInstance p{.kind = AEGIS_PATTERN_FUSION, .flags = AEGIS_PATTERN_COMPLETE, .anchor = group.nodes.front()};
    p.nodes = group.nodes;
    add_copy(table, AEGIS_GROUP_FUSION, p, static_cast<int>(i));
  }
  for (const auto& chain : table.analysis<Chains>().all()) add_copy(table, AEGIS_GROUP_CHAIN, chain, -1);
}

void Groups::add_copy(FactTable& table, std::uint32_t kind, const PatternInstance& pattern, int fusion) {
  const auto& signatures = table.analysis<Signatures>();
  std::uint64_t hash = mix(std::uint64_t{kind}, std::uint64_t{pattern.kind});
  hash = mix(hash, std::uint64_t{pattern.flags});
  for (const NodeId id : pattern.nodes) hash = mix(hash, signatures.alone(id));
  const auto [it, fresh] = by_hash_.try_emplace(hash, GroupId{static_cast<std::uint32_t>(groups_.size())});
  if (fresh) {
    groups_.push_back({.hash = hash, .kind = kind, .pattern = pattern, .fusion = fusion});
    of_kind_[pattern.kind].push_back(it->second);
  }
  GroupData& group = groups_[static_cast<std::size_t>(it->second)];
  group.members.push_back(pattern.anchor);
  group.copies.push_back(pattern.nodes);
}

std::span<const GroupId> Groups::of_kind(std::uint32_t pattern_kind) const {
  const auto it = of_kind_.find(pattern_kind);
  return it == of_kind_.end() ? std::span<const GroupId>() : std::span<const GroupId>(it->second);
}

}  // namespace aegis
