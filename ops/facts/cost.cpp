#include "ops/cost/model_cost.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "ops/cost/formulas.hpp"
#include "ops/fact.hpp"
#include "ops/graph/groups.hpp"
#include "ops/graph/structure.hpp"

using namespace aegis;

namespace {

void lower(FactTable& table, const Cost& cost, aegis_cost& fact) {
  fact.unknown_nodes = cost.unknown_nodes;
  fact.flops = cost.flops;
  fact.weight_bytes = cost.weight_bytes;
  fact.l2_resident_bytes = cost.l2_resident_bytes;
  fact.bytes = cost.bytes;
  fact.time_us = cost.time_us;
  fact.launch_us = cost.launch_us;
  fact.kernels = cost.kernels;
  fact.percent = table.analysis<CostModel>().percent(cost);
}

const aegis_cost* make(FactTable& table, const Cost& cost) {
  auto* fact = table.make<aegis_cost>();
  lower(table, cost, *fact);
  return fact;
}

const void* of_node(FactTable& table, NodeId id, aegis_absence& why) {
  const auto& costs = table.analysis<CostModel>();
  if (!costs.work(id).known()) return why = costs.work(id).why, nullptr;
  return make(table, costs.of(id));
}

const void* of_group(FactTable& table, GroupId id, aegis_absence& why) {
  const auto& costs = table.analysis<CostModel>();
  const GroupData& group = table.analysis<Groups>().group(id);
  Cost sum;
  std::uint32_t nodes = 0;
  const auto add = [&](NodeId node) {
    ++nodes;
    sum.add(costs.of(node));
    if (!costs.work(node).known()) why = costs.work(node).why;
  };
  for (const NodeId node : group.copies.empty() ? group.members : std::vector<NodeId>()) add(node);
  for (const auto& copy : group.copies)
    for (const NodeId node : copy) add(node);
  if (sum.unknown_nodes == nodes && nodes > 0) return nullptr;
  return make(table, sum);
}

const void* of_scope(FactTable& table, ScopeId id, aegis_absence&) {
  return make(table, table.analysis<CostModel>().of(id));
}

const void* of_model(FactTable& table, aegis_absence&) { return make(table, table.analysis<CostModel>().total()); }

// The nodes that a place stands for; empty for a scope or the model, which are all of their nodes.
std::vector<NodeId> nodes_of(FactTable& table, aegis_place place) {
  const Model& model = table.model();
  if (place.kind == AEGIS_PLACE_NODE && place.id < model.nodes().size()) return {NodeId{place.id}};
  if (place.kind == AEGIS_PLACE_GROUP && place.id < table.analysis<Groups>().size()) {
    const GroupData& group = table.analysis<Groups>().group(GroupId{place.id});
    if (group.copies.empty()) return group.members;
    std::vector<NodeId> all;
    for (const auto& copy : group.copies) all.insert(all.end(), copy.begin(), copy.end());
    return all;
  }
  std::vector<NodeId> all;
  for (const NodeId id : table.analysis<Structure>().order()) {
    const ScopeId scope = model.node(id).scope;
    if (place.kind == AEGIS_PLACE_SCOPE ? static_cast<std::uint32_t>(scope) == place.id
                                        : place.kind == AEGIS_PLACE_MODEL && table.analysis<CostModel>().counted(scope))
      all.push_back(id);
  }
  return all;
}

// The same work in other types or with another M. Both regimes move the bytes of the nodes by themselves; a fused time
// keeps the share of the present one.
aegis_status query(FactTable& table, const void* in_data, void* out_data) {
  const auto* in = static_cast<const aegis_cost_in*>(in_data);
  auto* out = static_cast<aegis_cost*>(out_data);
  if (in->struct_size < sizeof(aegis_cost_in) || out->struct_size < sizeof(std::uint32_t)) return AEGIS_INVALID;
  const auto& costs = table.analysis<CostModel>();
  const auto& structure = table.analysis<Structure>();
  const Target& target = table.target();
  const Retype retype{.compute = in->compute, .storage = in->storage ? in->storage : in->compute};
  Cost sum;
  bool any = false;
  for (const NodeId id : nodes_of(table, in->place)) {
    const NodeWork now = costs.work(id);
    NodeWork then = node_work(table, id, retype);
    const double times = structure.times(table.model().node(id).scope);
    any = true;
    if (!now.known() || !then.known() || std::isnan(times)) {
      ++sum.unknown_nodes;
      continue;
    }
    if (!then.kernel) continue;
    if (in->m > 0) {
      if (const auto* gemm = table.get<aegis_gemm>(id); gemm && gemm->m.dim.kind == AEGIS_DIM_VALUE) {
        const double factor = static_cast<double>(in->m) / static_cast<double>(gemm->m.dim.value);
        const double rows = then.bytes - value_bytes(table, id_of(gemm->b), retype);
        then.flops *= factor;
        then.bytes += rows * (factor - 1);
      }
    }
    const Cost& old = costs.of(id);
    const double fused_share = old.bytes.op > 0 ? old.bytes.fused / old.bytes.op : 1;
    Cost cost;
    cost.flops = then.flops;
    cost.weight_bytes = then.weight_bytes;
    cost.bytes = {fused_share * (then.bytes + then.extra_bytes), then.bytes + then.extra_bytes};
    cost.kernels = {times > 0 ? old.kernels.fused / times : 0, 1};
    cost.launch_us = {cost.kernels.fused * target.launch_us_graph, target.launch_us_stream};
    cost.time_us.op = std::max(arithmetic_us(then.flops, then.compute, then.e_align * then.e_quant, target),
                               memory_us(cost.bytes.op, target)) +
                      cost.launch_us.op;
    // Outside a product the arithmetic of a fused node hides behind its group's traffic.
    const double arithmetic = then.product ? arithmetic_us(then.flops, then.compute, then.e_align, target) : 0;
    cost.time_us.fused = std::max(arithmetic, memory_us(cost.bytes.fused, target)) + cost.launch_us.fused;
    for (double* figure :
         {&cost.flops, &cost.weight_bytes, &cost.bytes.fused, &cost.bytes.op, &cost.kernels.fused, &cost.kernels.op,
          &cost.launch_us.fused, &cost.launch_us.op, &cost.time_us.fused, &cost.time_us.op})
      *figure *= times;
    sum.add(cost);
  }
  if (!any) return AEGIS_INVALID;
  aegis_cost fact{};
  fact.struct_size = sizeof fact;
  lower(table, sum, fact);
  const auto size = std::min<std::size_t>(out->struct_size, sizeof fact);
  fact.struct_size = out->struct_size;
  std::memcpy(out, &fact, size);
  return AEGIS_OK;
}

}  // namespace

AEGIS_FACT(cost) = {.id = AEGIS_FACT_COST,
                    .of_node = of_node,
                    .of_group = of_group,
                    .of_scope = of_scope,
                    .of_model = of_model,
                    .query_id = AEGIS_QUERY_COST,
                    .query = query};
