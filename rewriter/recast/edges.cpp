#include "rewriter/recast/edges.hpp"

namespace aegis::recast {

bool is_copy(const Model& model, const TypeTable& types, const TypeGroups& groups, const Node& node) {
  return cast_target(node) == DType::f32 && is_wide(types, node.inputs[0]) && groups.input(node.id, 0) == any &&
         !model.value(node.outputs[0]).output;
}

ValueId behind_copies(const Model& model, const TypeTable& types, const TypeGroups& groups, ValueId value) {
  while (true) {
    const NodeId producer = model.value(value).producer;
    if (producer == NodeId::none || !is_copy(model, types, groups, model.node(producer))) return value;
    value = model.node(producer).inputs[0];
  }
}

const TensorSource* stored(const Model& model, ValueId value, DType to) {
  if (const TensorSource* own = model.constant(value)) return own;
  const NodeId producer = model.value(value).producer;
  if (producer == NodeId::none) return nullptr;
  const Node& cast = model.node(producer);
  if (cast_target(cast) != DType::f32 || cast.inputs[0] == ValueId::none) return nullptr;
  const TensorSource* source = model.constant(cast.inputs[0]);
  if (source == nullptr || source->type == to) return nullptr;
  const bool known = source->type == DType::f64 || source->type == DType::f16 || source->type == DType::bf16;
  return known ? source : nullptr;
}

std::vector<Edge> collect_edges(const Model& model, const TypeTable& types, const TypeGroups& groups, DType to) {
  std::vector<Edge> edges;
  for (const Value& value : model.values()) {
    if (!value.alive || !is_wide(types, value.id) || in_function(model, value.scope)) continue;
    if (behind_copies(model, types, groups, value.id) != value.id) continue;
    Edge edge{.value = value.id, .source = groups.source(value.id), .constant = stored(model, value.id, to) != nullptr};
    if (value.producer != NodeId::none) {
      const Node& node = model.node(value.producer);
      const bool up = cast_target(node) == DType::f32 && types.of(node.inputs[0]).dtype == to;
      if (up && groups.input(node.id, 0) == none) edge.narrow_twin = node.inputs[0];
    }
    std::vector<ValueId> copies{value.id};
    for (std::size_t at = 0; at < copies.size(); ++at) {
      for (const Use& use : model.value(copies[at]).uses) {
        if (use.node != NodeId::none && is_copy(model, types, groups, model.node(use.node))) {
          copies.push_back(model.node(use.node).outputs[0]);
        } else {
          edge.readers.push_back({use, groups.use(use)});
        }
      }
    }
    edges.push_back(std::move(edge));
  }
  return edges;
}

}  // namespace aegis::recast
