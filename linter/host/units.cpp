#include "linter/host/units.hpp"

#include <algorithm>
#include <array>

namespace aegis::host {

// In the order of AEGIS_PATTERN_*.
static constexpr std::array<std::string_view, 26> kinds{
    "none",        "layer_norm", "rms_norm",   "batch_norm",   "softmax",     "log_softmax", "log_sum_exp",
    "rope",        "timestep",   "gelu",       "silu",         "residual",    "loss_scale",  "qdq",
    "attention",   "mask",       "fusion",     "launch_chain", "shape_chain", "conv_chain",  "transpose_chain",
    "cast_island", "cse",        "float_path", "angle",        "double"};
static_assert(kinds[AEGIS_PATTERN_DOUBLE] == "double" && kinds[AEGIS_PATTERN_FUSION] == "fusion");

std::optional<std::uint32_t> pattern_kind(std::string_view name) {
  const auto* kind = std::ranges::find(kinds, name);
  if (kind == kinds.end() || kind == kinds.begin()) return std::nullopt;
  return static_cast<std::uint32_t>(kind - kinds.begin());
}

static aegis_unit group_unit(GroupId group, const ViewState& view) {
  const auto members = view.members(handle(group));
  return {.struct_size = sizeof(aegis_unit),
          .kind = AEGIS_UNIT_GROUP,
          .node = members.empty() ? aegis_node{AEGIS_NONE} : members.front(),
          .group = handle(group),
          .members = {members.data(), members.size()}};
}

static void add_nodes(std::string_view op, const ViewState& view, std::vector<std::uint32_t>& nodes) {
  if (op.starts_with('@')) {
    const auto kind = pattern_kind(op.substr(1));
    for (const GroupId group : kind ? view.facts().groups(*kind) : std::span<const GroupId>()) {
      for (const aegis_node node : view.members(handle(group))) nodes.push_back(node.id);
    }
    return;
  }
  for (const aegis_node node : sdk::items(view.graph().nodes(op))) nodes.push_back(node.id);
}

static bool wants(const Rule& rule, const aegis_node_info& info) {
  if (rule.ops.empty()) return true;
  const std::string_view op = sdk::view(info.op), domain = sdk::view(info.domain);
  return std::ranges::any_of(rule.ops, [&](std::string_view wanted) {
    const std::size_t colons = wanted.find("::");
    return colons == std::string_view::npos ? domain.empty() && wanted == op
                                            : wanted.substr(0, colons) == domain && wanted.substr(colons + 2) == op;
  });
}

static std::vector<aegis_unit> node_units(const Rule& rule, const ViewState& view) {
  std::vector<std::uint32_t> nodes;
  if (rule.ops.empty()) add_nodes("", view, nodes);
  for (const std::string& op : rule.ops) add_nodes(op, view, nodes);
  std::ranges::sort(nodes);
  nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
  std::vector<aegis_unit> out;
  for (const std::uint32_t id : nodes) {
    const aegis_node_info* info = view.graph().node({id});
    if (!info) continue;
    out.push_back({.struct_size = sizeof(aegis_unit),
                   .kind = AEGIS_UNIT_NODE,
                   .node = {id},
                   .group = info->group,
                   .members = {}});
  }
  return out;
}

static std::vector<aegis_unit> group_units(const Rule& rule, const ViewState& view) {
  std::vector<aegis_unit> out;
  const auto add = [&](GroupId group) {
    const aegis_unit unit = group_unit(group, view);
    if (unit.members.count > 0) out.push_back(unit);
  };
  bool by_op = rule.ops.empty();
  for (const std::string& op : rule.ops) {
    if (!op.starts_with('@')) {
      by_op = true;
      continue;
    }
    const auto kind = pattern_kind(std::string_view(op).substr(1));
    for (const GroupId group : kind ? view.facts().groups(*kind) : std::span<const GroupId>()) add(group);
  }
  if (!by_op) return out;
  for (const GroupId group : view.facts().groups()) {
    const auto members = view.members(handle(group));
    const aegis_node_info* info = members.empty() ? nullptr : view.graph().node(members.front());
    if (info && wants(rule, *info)) add(group);
  }
  return out;
}

std::vector<aegis_unit> units_of(const Rule& rule, const ViewState& view) {
  switch (rule.unit) {
    case Unit::node: return node_units(rule, view);
    case Unit::group: return group_units(rule, view);
    case Unit::model: break;
  }
  return {{.struct_size = sizeof(aegis_unit),
           .kind = AEGIS_UNIT_MODEL,
           .node = {AEGIS_NONE},
           .group = {AEGIS_NONE},
           .members = {}}};
}

}  // namespace aegis::host
