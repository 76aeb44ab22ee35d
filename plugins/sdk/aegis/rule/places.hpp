// For rules that list what a fact of the whole model found: findings at the places that it names, and a walk over all
// stored constants.
#pragma once

#include <aegis/aegis.h>

#include <string_view>

#include <aegis/rule/context.hpp>

namespace aegis::sdk {

// A scope is no place of a finding of its own: the finding is about the model.
inline Opening finding_at(Context& cx, const aegis_place& place) {
  switch (place.kind) {
    case AEGIS_PLACE_NODE: return cx.finding(aegis_node{place.id});
    case AEGIS_PLACE_VALUE: return cx.finding(aegis_value{place.id});
    case AEGIS_PLACE_GROUP: return cx.finding(aegis_group{place.id});
    default: return cx.finding();
  }
}

inline Finding& relate(Finding& finding, const aegis_place& place, std::string_view role) {
  if (place.kind == AEGIS_PLACE_NODE) return finding.relate(aegis_node{place.id}, role);
  if (place.kind == AEGIS_PLACE_VALUE) return finding.relate(aegis_value{place.id}, role);
  return finding;
}

// Calls visit(value) for the initializers of the main graph and of all bodies, and for the outputs of Constant nodes.
template <class Visit>
void for_each_constant(Context& cx, Visit visit) {
  const auto of_scope = [&](aegis_scope scope) {
    const auto* info = cx.scope(scope);
    for (const aegis_value value : items(info ? info->initializers : aegis_values{})) visit(value);
  };
  if (const auto* model = cx.model()) of_scope(model->main);
  for (const aegis_node node : cx.nodes("")) {
    const auto* info = cx.node(node);
    if (!info) continue;
    for (std::uint64_t i = 0; i < info->bodies.count; ++i) of_scope(info->bodies.data[i]);
    if (cx.is(node, "Constant") && some(cx.output(node, 0))) visit(cx.output(node, 0));
  }
}

}  // namespace aegis::sdk
