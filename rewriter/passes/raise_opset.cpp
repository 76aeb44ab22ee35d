// raise_opset: a higher opset, when a recast can make more arithmetic narrow with it.
//
// Candidates are the opset of the file and those at which a type group that only schemas hold back would become free;
// each is scored by the very choice that recast_float will make, and ties go low: a file is never raised for nothing.
// The upper bound is `max_opset` when the caller gives one. Without it the bound is what the runtime in question reads
// (for "any": at least one runtime of the table must still load the whole file), so that a CNN goes to 22, where Conv
// takes bfloat16, and nothing is raised past the opset that the last runtime of the table knows.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "rewriter/pass.hpp"
#include "rewriter/recast/facts.hpp"
#include "rewriter/recast/propose.hpp"
#include "rewriter/recast/raise.hpp"
#include "rewriter/recast/runtime.hpp"

using namespace aegis;

namespace {

std::int64_t highest(const PrecisionOptions& options) {
  if (options.max_opset > 0) return options.max_opset;
  if (const recast::Runtime* runtime = recast::find_runtime(options.runtime)) return runtime->newest_opset;
  if (options.runtime == "any")
    return std::ranges::max(recast::runtimes(), {}, &recast::Runtime::newest_opset).newest_opset;
  return std::numeric_limits<std::int64_t>::max();
}

std::set<std::int64_t> candidates(const recast::Choice& now, std::int64_t opset, std::int64_t limit) {
  std::set<std::int64_t> found;
  for (const recast::Group& group : now.groups.groups()) {
    std::int64_t free_at = opset;
    for (const recast::Block& block : group.blocks) {
      free_at = block.floor == 0 ? limit + 1 : std::max(free_at, block.floor);
      if (free_at > limit) break;
    }
    if (free_at > opset && free_at <= limit) found.insert(free_at);
  }
  return found;
}

Result<PassOutput> plan(const PassInput& input) {
  const Model& model = *input.model;
  const PrecisionOptions& options = input.precision;
  PassOutput out;
  if (!is_narrow_float(options.to)) return out;
  for (const Node& node : model.nodes()) {
    if (node.alive && !recast::training(model, node).empty()) return out;  // recast_float says why
  }
  const TypeTable types = infer(model, {});  // unbound, like the types of the candidates: the scores must compare
  AEGIS_TRY(recast::Choice best, recast::choose(model, types, options));
  const std::int64_t limit = std::min(highest(options), std::numeric_limits<std::int64_t>::max() - 1);
  for (const std::int64_t opset : candidates(best, model.opset(), limit)) {
    const auto refuse = [&](const Error& error) {
      out.refused.push_back(
          {"raise_opset", "opset_raise",
           fmt::format("opset {}: {}{}{}", opset, error.where, error.where.empty() ? "" : ": ", error.message)});
    };
    auto patch = recast::raise(model, types, opset);
    if (!patch) {
      refuse(patch.error());
      continue;
    }
    AEGIS_TRY(const Model after, apply(model, {&*patch, 1}));
    const TypeTable after_types = infer(after, {});
    AEGIS_TRY(recast::Choice choice, recast::choose(after, after_types, options));
    if (!choice.better_than(best)) continue;
    if (const auto tried = recast::propose(after, after_types, choice, options.to); !tried) {
      refuse(tried.error());
      continue;
    }
    best = std::move(choice);
    out.patches.assign(1, *std::move(patch));
  }
  return out;
}

bool wanted(const RewriteRequest& request) { return request.precision.to != DType::undefined; }

}  // namespace

AEGIS_PASS(raise_opset) = {
    .name = "raise_opset", .safety = Safety::exact, .order = 30, .prepares = true, .wanted = wanted, .plan = plan};
