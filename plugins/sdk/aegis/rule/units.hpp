// What a check is called for, and places in a model.
#pragma once

#include <aegis/aegis.h>

#include <span>

namespace aegis::sdk {

// Stands where an aegis_node is wanted.
struct Node {
  aegis_node id;
  aegis_group group;
  constexpr operator aegis_node() const { return id; }
};

// Nodes of equal structure, or the nodes of one pattern; `first` is the anchor of what is found.
struct Group {
  aegis_group id;
  aegis_node first;
  std::span<const aegis_node> members;
  constexpr operator aegis_group() const { return id; }
};

constexpr aegis_place place_of() { return {AEGIS_PLACE_MODEL, 0}; }
constexpr aegis_place place_of(aegis_scope scope) { return {AEGIS_PLACE_SCOPE, scope.id}; }
constexpr aegis_place place_of(aegis_node node) { return {AEGIS_PLACE_NODE, node.id}; }
constexpr aegis_place place_of(aegis_value value) { return {AEGIS_PLACE_VALUE, value.id}; }
constexpr aegis_place place_of(aegis_group group) { return {AEGIS_PLACE_GROUP, group.id}; }

constexpr bool some(aegis_node node) { return node.id != AEGIS_NONE; }
constexpr bool some(aegis_value value) { return value.id != AEGIS_NONE; }

}  // namespace aegis::sdk
