#include "rewriter/recast/groups.hpp"

#include "model/attribute.hpp"
#include "rewriter/recast/cost.hpp"
#include "rewriter/recast/slots.hpp"

namespace aegis::recast {

bool is_wide(const TypeTable& types, ValueId value) {
  return value != ValueId::none && types.of(value).tensor() && types.of(value).dtype == DType::f32;
}

bool in_function(const Model& model, ScopeId scope) {
  for (; scope != ScopeId::none; scope = model.scope(scope).parent) {
    if (model.scope(scope).kind == ScopeKind::function) return true;
  }
  return false;
}

DType cast_target(const Node& node) {
  if (node.op != "Cast" || !node.domain.empty()) return DType::undefined;
  return static_cast<DType>(attribute(node, "to", std::int64_t{0}));
}

std::optional<SchemaTypes> schema_of(const Model& model, const Node& node, std::int64_t opset) {
  if (node.function != ScopeId::none) return std::nullopt;
  return schema_types(node, node.domain.empty() ? opset : model.opset(node.domain));
}

bool joinable_scan(const Node& node, std::int64_t opset) { return node.op == "Scan" && opset >= 9; }

TypeGroups::TypeGroups(const Question& question) : model_(question.model) {
  join_slots(*this, question);
  block_groups(*this, question);
  for (const Node& node : model_->nodes()) {
    if (!node.alive || main_group(node.id) < 0) continue;
    groups_[static_cast<std::size_t>(main_group(node.id))].flops += flops(*question.types, node);
  }
}

int TypeGroups::output(NodeId node, std::size_t slot) const {
  return group_of(node_base_[index(node)] + model_->node(node).inputs.size() + slot);
}

int TypeGroups::scope_output(ScopeId scope, std::size_t slot) const {
  const Scope& place = model_->scope(scope);
  if (place.kind == ScopeKind::main_graph) return wide;
  return group_of(scope_base_[index(scope)] + place.inputs.size() + slot);
}

int TypeGroups::use(const Use& reader) const {
  return reader.node != NodeId::none ? input(reader.node, reader.slot) : scope_output(reader.scope, reader.slot);
}

int TypeGroups::source(ValueId value) const { return source_[index(value)]; }

}  // namespace aegis::recast
