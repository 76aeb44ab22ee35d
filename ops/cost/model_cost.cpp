#include "ops/cost/model_cost.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "ops/cost/formulas.hpp"
#include "ops/graph/fusion.hpp"
#include "ops/graph/structure.hpp"

namespace aegis {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

Cost unknown_cost() {
  return {.unknown_nodes = 1,
          .flops = unknown,
          .weight_bytes = unknown,
          .l2_resident_bytes = unknown,
          .bytes = {unknown, unknown},
          .time_us = {unknown, unknown},
          .launch_us = {unknown, unknown},
          .kernels = {unknown, unknown}};
}

void scale(Cost& cost, double times) {
  for (double* figure : {&cost.flops, &cost.weight_bytes, &cost.l2_resident_bytes, &cost.bytes.fused, &cost.bytes.op,
                         &cost.time_us.fused, &cost.time_us.op, &cost.launch_us.fused, &cost.launch_us.op,
                         &cost.kernels.fused, &cost.kernels.op})
    *figure *= times;
}

// What one fusion group reads from and writes to memory.
struct Traffic {
  FactTable& table;
  const Fusion& fusion = table.analysis<Fusion>();
  const Structure& structure = table.analysis<Structure>();
  const Model& model = table.model();

  // Is a value read outside of the group (through views), or an output of its scope?
  bool leaves(ValueId value, int group) const {
    std::vector<ValueId> stack = {value};
    while (!stack.empty()) {
      const ValueId at = stack.back();
      stack.pop_back();
      for (const Use& use : model.value(at).uses) {
        if (use.node == NodeId::none) return true;
        const auto& outputs = model.node(use.node).outputs;
        const bool view = structure.role(use.node) == NodeRole::view && use.slot == 0;
        if (view && !outputs.empty() && outputs[0] != ValueId::none)
          stack.push_back(outputs[0]);
        else if (fusion.of(use.node) != group)
          return true;
      }
    }
    return false;
  }

  void count(std::size_t group, Cost& cost) const {
    const int id = static_cast<int>(group);
    std::map<ValueId, double> reads;  // by the memory that is read
    for (const NodeId node_id : fusion.groups()[group].nodes) {
      const Node& node = model.node(node_id);
      for (std::size_t slot = 0; slot < node.inputs.size(); ++slot) {
        if (node.inputs[slot] == ValueId::none) continue;
        const ValueId root = structure.root(node.inputs[slot]);
        const NodeId producer = model.value(root).producer;
        if (producer != NodeId::none && fusion.of(producer) == id) continue;
        double& bytes = reads[root];
        bytes = std::max(bytes, read_bytes(table, node, slot));
      }
      for (const ValueId out : node.outputs)
        if (out != ValueId::none && leaves(out, id)) cost.bytes.fused += value_bytes(table, out);
    }
    for (const auto& [root, bytes] : reads) {
      cost.bytes.fused += bytes;
      const NodeId producer = model.value(root).producer;
      const bool made = producer != NodeId::none && fusion.of(producer) >= 0;
      if (made && bytes <= table.target().l2_bytes / 2 &&
          next_kernel[static_cast<std::size_t>(fusion.of(producer))] == id)
        cost.l2_resident_bytes += bytes;
    }
  }

  // By group: the next one that launches a kernel; -1 behind the last.
  std::vector<int> next_kernel = next_kernels();

  std::vector<int> next_kernels() const {
    std::vector<int> next(fusion.groups().size(), -1);
    for (std::size_t i = next.size(); i-- > 1;) next[i - 1] = fusion.groups()[i].kernel ? static_cast<int>(i) : next[i];
    return next;
  }
};

}  // namespace

void Cost::add(const Cost& other) {
  unknown_nodes += other.unknown_nodes;
  if (std::isnan(other.flops)) return;
  flops += other.flops;
  weight_bytes += other.weight_bytes;
  l2_resident_bytes += other.l2_resident_bytes;
  const auto add_pair = [](aegis_pair& a, const aegis_pair& b) {
    if (!std::isnan(b.fused)) a.fused += b.fused;
    if (!std::isnan(b.op)) a.op += b.op;
  };
  add_pair(bytes, other.bytes);
  add_pair(time_us, other.time_us);
  add_pair(launch_us, other.launch_us);
  add_pair(kernels, other.kernels);
}

CostModel::CostModel(FactTable& table) {
  const Model& model = table.model();
  const auto& structure = table.analysis<Structure>();
  const Target& target = table.target();
  works_.resize(model.nodes().size());
  nodes_.resize(model.nodes().size());
  for (const NodeId id : structure.order()) {
    NodeWork& work = works_[index(id)] = node_work(table, id);
    const double times = structure.times(model.node(id).scope);
    if (work.kernel && work.known() && std::isnan(times)) work.why = AEGIS_UNKNOWN_TRIPS;
    Cost& cost = nodes_[index(id)];
    if (!work.known()) {
      cost = unknown_cost();
      continue;
    }
    if (!work.kernel) continue;
    cost.flops = work.flops;
    cost.weight_bytes = work.weight_bytes;
    cost.bytes.op = work.bytes + work.extra_bytes;
    cost.kernels.op = 1;
    cost.launch_us.op = target.launch_us_stream;
    cost.time_us.op = std::max(arithmetic_us(work.flops, work.compute, work.e_align * work.e_quant, target),
                               memory_us(cost.bytes.op, target)) +
                      cost.launch_us.op;
  }
  cost_groups(table);
  for (const NodeId id : structure.order())
    if (works_[index(id)].known()) scale(nodes_[index(id)], structure.times(model.node(id).scope));
  sum_scopes(table);
}

// One kernel a group; its cost is told of the products in it by their FLOPs, else of its nodes by their bytes.
void CostModel::cost_groups(FactTable& table) {
  const auto& fusion = table.analysis<Fusion>();
  const auto& structure = table.analysis<Structure>();
  const Target& target = table.target();
  const Traffic traffic{table};
  fused_.resize(fusion.groups().size());
  for (std::size_t g = 0; g < fusion.groups().size(); ++g) {
    const FusionGroup& group = fusion.groups()[g];
    Cost& cost = fused_[g];
    double arithmetic = 0, product_flops = 0, op_bytes = 0;
    bool known = true;
    for (const NodeId id : group.nodes) {
      const NodeWork& work = works_[index(id)];
      known = known && work.known();
      arithmetic += arithmetic_us(work.flops, work.compute, work.e_align, target);
      if (work.product) product_flops += work.flops;
      op_bytes += work.bytes;
      cost.add(nodes_[index(id)]);
    }
    cost.bytes.fused = cost.time_us.fused = 0;
    if (!known) {
      const std::uint32_t nodes = cost.unknown_nodes;
      cost = unknown_cost();
      cost.unknown_nodes = nodes;
      for (const NodeId id : group.nodes) {
        Cost& node = nodes_[index(id)];
        if (works_[index(id)].known())
          node.bytes.fused = node.time_us.fused = node.launch_us.fused = node.kernels.fused = unknown;
      }
      continue;
    }
    if (!group.kernel) continue;
    traffic.count(g, cost);
    cost.kernels.fused = 1;
    cost.launch_us.fused = target.launch_us_graph;
    cost.time_us.fused = std::max(arithmetic, memory_us(cost.bytes.fused, target)) + cost.launch_us.fused;
    const double whole = product_flops > 0 ? product_flops : op_bytes;
    for (const NodeId id : group.nodes) {
      const NodeWork& work = works_[index(id)];
      const double part = product_flops > 0 ? (work.product ? work.flops : 0) : work.bytes;
      const double share = whole > 0 ? part / whole : 1 / static_cast<double>(group.nodes.size());
      Cost& node = nodes_[index(id)];
      node.bytes.fused = share * cost.bytes.fused;
      node.time_us.fused = share * cost.time_us.fused;
      node.launch_us.fused = share * cost.launch_us.fused;
      node.kernels.fused = share * cost.kernels.fused;
      node.l2_resident_bytes = share * cost.l2_resident_bytes;
    }
    scale(cost, structure.times(table.model().node(group.nodes.front()).scope));
  }
}

void CostModel::sum_scopes(FactTable& table) {
  const Model& model = table.model();
  const auto& structure = table.analysis<Structure>();
  const auto scopes = model.scopes();
  scopes_.resize(scopes.size());
  counted_.assign(scopes.size(), true);
  std::vector<bool> done(scopes.size(), false);
  const auto sum = [&](const auto& self, ScopeId id) -> const Cost& {
    Cost& total = scopes_[index(id)];
    if (done[index(id)]) return total;
    done[index(id)] = true;
    for (const NodeId node_id : model.scope(id).nodes) {
      const Node& node = model.node(node_id);
      if (!node.alive) continue;
      Cost& cost = nodes_[index(node_id)];
      if (!node.bodies.empty()) {
        const Cost* larger = nullptr;
        ScopeId chosen = ScopeId::none;
        for (const ScopeId body : node.bodies) {
          const Cost& of_body = self(self, body);
          if (node.op != "If")
            cost.add(of_body);
          else if (!larger || of_body.time_us.op > larger->time_us.op)
            larger = &of_body, chosen = body;
        }
        if (larger) cost.add(*larger);
        if (node.op == "If")
          for (const ScopeId body : node.bodies) counted_[index(body)] = body == chosen;
      } else if (node.function != ScopeId::none) {
        const double calls = structure.times(node.function), here = structure.times(id);
        cost = self(self, node.function);
        if (calls > 0) scale(cost, here / calls);
      }
      if (structure.role(node_id) != NodeRole::control || node.function == ScopeId::none) total.add(cost);
    }
    return total;
  };
  for (const auto& scope : scopes) (void)sum(sum, scope.id);
  // Calls were left out above: each function's scope holds all of its calls.
  for (const auto& scope : scopes) {
    if (scope.parent != ScopeId::none && scope.kind == ScopeKind::subgraph && !counted_[index(scope.parent)])
      counted_[index(scope.id)] = false;
    if (scope.kind != ScopeKind::subgraph) total_.add(scopes_[index(scope.id)]);
  }
}

aegis_pair CostModel::percent(const Cost& cost) const {
  const auto share = [](double part, double whole) { return whole > 0 ? 100 * part / whole : unknown; };
  return {share(cost.time_us.fused, total_.time_us.fused), share(cost.time_us.op, total_.time_us.op)};
}

}  // namespace aegis
