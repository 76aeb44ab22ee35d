#include "ops/graph/groups.hpp"

#include "ops/fact.hpp"
#include "ops/graph/structure.hpp"

using namespace aegis;

namespace {

const void* of_group(FactTable& table, GroupId id, aegis_absence&) {
  const GroupData& group = table.analysis<Groups>().group(id);
  const auto& structure = table.analysis<Structure>();
  auto* fact = table.make<aegis_group_info>();
  fact->group = handle(id);
  fact->hash = group.hash;
  fact->kind = group.kind;
  fact->block = AEGIS_NONE;
  fact->copies = static_cast<std::uint32_t>(group.members.size());
  fact->members = table.nodes(group.members);
  for (const NodeId node : group.members) fact->runs += structure.times(table.model().node(node).scope);
  return fact;
}

const void* of_node(FactTable& table, NodeId id, aegis_absence&) {
  const GroupId group = table.group_of(id);
  return group == GroupId::none ? nullptr : table.get<aegis_group_info>(group);
}

}  // namespace

AEGIS_FACT(group) = {.id = AEGIS_FACT_GROUP, .of_node = of_node, .of_group = of_group};
