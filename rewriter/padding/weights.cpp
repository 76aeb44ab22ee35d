#include "rewriter/padding/weights.hpp"

#include <algorithm>

namespace aegis::padding {

std::vector<WeightPlan> plan_weights(const ClassGraph& graph, const Settled& settled) {
  const Model& model = graph.model();
  std::vector<WeightPlan> plans;
  for (const Value& value : model.values()) {
    if (!value.alive || model.constant(value.id) == nullptr) continue;
    WeightPlan plan{.value = value.id, .padded = {}, .keeps = false};
    for (const Use& use : value.uses) {
      WeightForm form{.maps = {}, .fill = 0, .uses = {use}};
      if (use.node != NodeId::none) {
        const Node& node = model.node(use.node);
        for (int axis = 0; axis < graph.input_rank(node, use.slot); ++axis) {
          const Point point = graph.input(node, use.slot, axis);
          if (point == no_point) continue;
          if (const auto map = settled.maps.find(graph.find(point)); map != settled.maps.end())
            form.maps[axis] = map->second;
        }
        if (const auto fill = settled.fills.find({use.node, use.slot}); fill != settled.fills.end())
          form.fill = fill->second;
      }
      if (form.maps.empty()) {
        plan.keeps = true;
        continue;
      }
      const auto same = std::find_if(plan.padded.begin(), plan.padded.end(), [&](const WeightForm& other) {
        return other.maps == form.maps && other.fill == form.fill;
      });
      if (same == plan.padded.end()) {
        plan.padded.push_back(std::move(form));
      } else {
        same->uses.push_back(use);
      }
    }
    if (!plan.padded.empty()) plans.push_back(std::move(plan));
  }
  return plans;
}

double growth(const WeightForm& form) {
  double ratio = 1;
  for (const auto& [axis, map] : form.maps)
    ratio *= static_cast<double>(map.total()) / static_cast<double>(map.valid());
  return ratio;
}

}  // namespace aegis::padding
