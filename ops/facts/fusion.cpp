#include "ops/graph/fusion.hpp"

#include "ops/cost/model_cost.hpp"
#include "ops/fact.hpp"
#include "ops/graph/groups.hpp"

using namespace aegis;

namespace {

const aegis_fusion* make(FactTable& table, int group, std::uint32_t copies, const Cost& cost) {
  const auto& data = table.analysis<Fusion>().groups()[static_cast<std::size_t>(group)];
  auto* fact = table.make<aegis_fusion>();
  fact->id = static_cast<std::uint32_t>(group);
  fact->kind = data.kind;
  fact->copies = copies;
  fact->nodes = table.nodes(data.nodes);
  fact->kernels = cost.kernels;
  fact->bytes = cost.bytes;
  fact->time_us = cost.time_us;
  fact->percent = table.analysis<CostModel>().percent(cost);
  return fact;
}

const void* of_group(FactTable& table, GroupId id, aegis_absence& why) {
  const GroupData& group = table.analysis<Groups>().group(id);
  if (group.kind != AEGIS_GROUP_FUSION)
    return group.copies.empty() ? table.get<aegis_fusion>(group.members.front(), &why) : nullptr;
  const auto& costs = table.analysis<CostModel>();
  const auto& fusion = table.analysis<Fusion>();
  Cost sum;
  for (const NodeId anchor : group.members) sum.add(costs.of_fusion(static_cast<std::size_t>(fusion.of(anchor))));
  return make(table, group.fusion, static_cast<std::uint32_t>(group.copies.size()), sum);
}

const void* of_node(FactTable& table, NodeId id, aegis_absence&) {
  const int group = table.analysis<Fusion>().of(id);
  if (group < 0) return nullptr;
  const NodeId first = table.analysis<Fusion>().groups()[static_cast<std::size_t>(group)].nodes.front();
  if (id != first) return table.get<aegis_fusion>(first);  // one fact for all of its nodes
  return make(table, group, 1, table.analysis<CostModel>().of_fusion(static_cast<std::size_t>(group)));
}

}  // namespace

AEGIS_FACT(fusion) = {.id = AEGIS_FACT_FUSION, .of_node = of_node, .of_group = of_group};
