#include "linter/profile.hpp"

#include <array>
#include <cmath>

namespace aegis {

static std::optional<double> known(double number) { return std::isnan(number) ? std::nullopt : std::optional(number); }

static std::optional<double> percent(double part, double whole) {
  return whole > 0 ? known(100 * part / whole) : std::nullopt;
}

static bool misaligned(FactTable& facts, NodeId node) {
  const auto* align = facts.get<aegis_align>(node);
  return align && align->off_tier1 != 0;
}

// Time by the limit that decides it, and FLOPs of products that miss their multiple.
static void add_shares(FactTable& facts, Profile& profile) {
  std::array<double, AEGIS_BOUND_FREE + 1> time{};
  double all_time = 0, all_flops = 0, off_flops = 0;
  for (const Node& node : facts.model().nodes()) {
    if (!node.alive) continue;
    if (node.op == "Cast" && node.domain.empty()) ++profile.cast_count;
    const auto* cost = facts.get<aegis_cost>(node.id);
    const auto* roof = facts.get<aegis_roofline>(node.id);
    if (!cost || !node.bodies.empty()) continue;  // a body's nodes count themselves
    if (std::isfinite(cost->flops)) {
      all_flops += cost->flops;
      if (misaligned(facts, node.id)) off_flops += cost->flops;
    }
    if (!roof || !std::isfinite(cost->time_us.fused) || roof->bound_fused >= time.size()) continue;
    time[roof->bound_fused] += cost->time_us.fused;
    all_time += cost->time_us.fused;
  }
  profile.compute_bound_percent = percent(time[AEGIS_BOUND_COMPUTE], all_time);
  profile.memory_bound_percent = percent(time[AEGIS_BOUND_MEMORY], all_time);
  profile.launch_bound_percent = percent(time[AEGIS_BOUND_LAUNCH], all_time);
  profile.misaligned_flops_percent = percent(off_flops, all_flops);
}

Profile profile_of(const host::ViewState& view) {
  Profile profile;
  profile.parameters = view.graph().model().parameters;
  if (const auto* cost = view.facts().get<aegis_cost>()) {
    profile.flops = known(cost->flops);
    profile.bytes_min = known(cost->bytes.fused);
    profile.bytes_op_by_op = known(cost->bytes.op);
    profile.time_us = known(cost->time_us.fused);
    profile.time_op_by_op_us = known(cost->time_us.op);
  }
  add_shares(view.facts(), profile);
  return profile;
}

Coverage coverage_of(const host::ViewState& view) {
  Coverage coverage;
  for (const Node& node : view.facts().model().nodes()) coverage.nodes_total += node.alive ? 1 : 0;
  if (const auto* seen = view.facts().get<aegis_coverage>()) {
    coverage.nodes_total = seen->nodes_total;
    coverage.nodes_analyzed = seen->nodes_covered;
    coverage.flops_percent = known(seen->flops_percent);
  }
  for (const Symbol& symbol : view.facts().types().symbols) {
    if (symbol.bound) continue;
    if (symbol.assumed) {
      coverage.assumed[symbol.name] = *symbol.assumed;
    } else {
      coverage.unbound.push_back(symbol.name);
    }
  }
  return coverage;
}

std::string_view absence_name(aegis_absence absence) {
  static constexpr std::array<std::string_view, AEGIS_NO_SUCH_FACT + 1> names{
      "present",    "not_applicable", "unknown_dim", "unknown_op", "inference_failed", "unknown_trips", "no_rate",
      "no_weights", "no_data",        "no_table",    "over_limit", "not_declared",     "no_such_fact"};
  return absence < names.size() ? names[absence] : "unknown";
}

}  // namespace aegis
