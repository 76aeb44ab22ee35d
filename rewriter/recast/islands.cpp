#include "rewriter/recast/islands.hpp"

#include <algorithm>

#include "rewriter/recast/groups.hpp"

namespace aegis::recast {
namespace {

bool is_cast(const Node& node) { return cast_target(node) != DType::undefined; }

// A 16-bit value that arithmetic makes, or that a body takes: not stored data, not an input, not another Cast.
bool computed(const Model& model, ValueId id) {
  const Value& value = model.value(id);
  if (value.producer != NodeId::none) return !is_cast(model.node(value.producer)) && model.constant(id) == nullptr;
  return value.input && value.scope != ScopeId::main;
}

// A 16-bit value that arithmetic reads, or that a body gives.
bool used(const Model& model, ValueId id) {
  return std::ranges::any_of(model.value(id).uses, [&](const Use& use) {
    return use.node != NodeId::none ? !is_cast(model.node(use.node)) : use.scope != ScopeId::main;
  });
}

bool border(const Model& model, const TypeTable& types, const Node& node) {
  if (!is_cast(node) || node.inputs[0] == ValueId::none) return false;
  const DType from = types.of(node.inputs[0]).dtype, to = cast_target(node);
  if (to == DType::f32 && is_narrow_float(from)) return computed(model, node.inputs[0]);
  return is_narrow_float(to) && from == DType::f32 && used(model, node.outputs[0]);
}

}  // namespace

std::vector<NodeId> islands(const Model& model, const TypeTable& types) {
  std::vector<NodeId> region;
  std::vector<char> seen(model.nodes().size(), 0);
  const auto visit = [&](NodeId next) {
    if (next == NodeId::none || seen[index(next)] || is_cast(model.node(next))) return;
    if (model.node(next).op == "Constant") return;
    seen[index(next)] = 1;
    region.push_back(next);
  };
  const auto neighbours = [&](const Node& node) {
    for (const ValueId value : node.inputs) {
      if (is_wide(types, value)) visit(model.value(value).producer);
    }
    for (const ValueId value : node.outputs) {
      if (!is_wide(types, value)) continue;
      for (const Use& use : model.value(value).uses) visit(use.node);
    }
  };
  for (const Node& node : model.nodes()) {
    if (node.alive && border(model, types, node)) neighbours(node);
  }
  for (std::size_t at = 0; at < region.size(); ++at) neighbours(model.node(region[at]));
  std::ranges::sort(region);
  return region;
}

}  // namespace aegis::recast
