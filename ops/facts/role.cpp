// Roles that the graph itself proves: logits (no product between them and what ranks them), cached keys and values,
// scales of norms, tokens, positions by the name of their input.
#include <algorithm>
#include <array>
#include <set>

#include "ops/cost/gemm_shape.hpp"
#include "ops/fact.hpp"
#include "ops/graph/attention.hpp"
#include "ops/graph/structure.hpp"

using namespace aegis;

namespace {

constexpr std::size_t limit = 128;

bool ranks(const Node& node) {
  constexpr std::array ops = {"Softmax", "LogSoftmax", "ArgMax", "TopK", "Multinomial"};
  return node.domain.empty() && std::any_of(ops.begin(), ops.end(), [&](const char* op) { return node.op == op; });
}

// Follows a value to graph outputs and ranking nodes. False: a product, or something that is not looked through.
bool reaches(const FactTable& table, const Structure& structure, ValueId value, std::set<NodeId>& seen, bool& output,
             NodeId& sink) {
  const Model& model = table.model();
  if (model.value(value).uses.empty()) return false;
  for (const Use& use : model.value(value).uses) {
    if (use.node == NodeId::none) {
      if (use.scope != ScopeId::main) return false;
      output = true;
      continue;
    }
    const Node& node = model.node(use.node);
    if (ranks(node)) {
      if (sink == NodeId::none) sink = use.node;
      continue;
    }
    if (!seen.insert(use.node).second) continue;
    const Op* op = structure.op(use.node);
    const bool passes = op && (op->cost.kind == CostClass::elementwise || op->cost.kind == CostClass::view ||
                               op->cost.kind == CostClass::movement || op->cost.kind == CostClass::take ||
                               op->cost.kind == CostClass::reduction);
    if (structure.role(use.node) == NodeRole::host) continue;  // its shape, not its numbers
    if (!passes || seen.size() > limit || is_gemm(node)) return false;
    for (const ValueId out : node.outputs)
      if (out != ValueId::none && !model.value(out).uses.empty() && !reaches(table, structure, out, seen, output, sink))
        return false;
  }
  return true;
}

std::uint32_t input_role(std::string_view name) {
  if (name.starts_with("past")) return AEGIS_ROLE_PAST;
  if (name.find("position") != std::string_view::npos) return AEGIS_ROLE_POSITION;
  if (name == "timestep" || name == "timesteps") return AEGIS_ROLE_TIMESTEP;
  if (name.find("input_ids") != std::string_view::npos || name == "tokens") return AEGIS_ROLE_TOKEN;
  if (name.find("mask") != std::string_view::npos) return AEGIS_ROLE_MASK;
  return AEGIS_ROLE_NONE;
}

const aegis_role* make(FactTable& table, std::uint32_t role, aegis_certainty certainty, ValueId root, NodeId sink) {
  auto* fact = table.make<aegis_role>();
  fact->role = role;
  fact->certainty = certainty;
  fact->root = handle(root);
  fact->sink = handle(sink);
  return fact;
}

const void* of_value(FactTable& table, ValueId id, aegis_absence&) {
  const Model& model = table.model();
  const auto& structure = table.analysis<Structure>();
  const Value& value = model.value(id);
  if (value.input && value.scope == ScopeId::main && !value.initializer) {
    const std::uint32_t role = input_role(value.name);  // a name is a hint, no proof
    return role == AEGIS_ROLE_NONE ? nullptr : make(table, role, AEGIS_POSSIBLE, id, NodeId::none);
  }
  if (structure.constant(id)) {
    for (const Use& use : value.uses) {
      if (use.node == NodeId::none) continue;
      const std::string_view op = model.node(use.node).op;
      const bool norm = op.ends_with("Normalization");
      if (norm && use.slot >= 1) return make(table, AEGIS_ROLE_NORM_SCALE, AEGIS_CERTAIN, id, use.node);
    }
    return nullptr;
  }
  if (value.producer == NodeId::none || !is_float(table.types().of(id).dtype)) return nullptr;
  if (table.analysis<AttentionCores>().of(value.producer)) return nullptr;
  std::set<NodeId> seen;
  bool output = false;
  NodeId sink = NodeId::none;
  if (!reaches(table, structure, id, seen, output, sink) || (!output && sink == NodeId::none)) return nullptr;
  return make(table, AEGIS_ROLE_LOGITS, AEGIS_CERTAIN, id, sink);
}

}  // namespace

AEGIS_FACT(role) = {.id = AEGIS_FACT_ROLE, .of_value = of_value};
