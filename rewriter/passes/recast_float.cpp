// recast_float: FLOAT to BF16 or FP16, as much arithmetic as schemas and pins allow, with the fewest Casts.
//
// The value table gives every slot a type group; blocks (schemas, pins, runtimes) say which groups must stay FLOAT; one
// minimum cut chooses the rest; the choice becomes edits; ONNX itself checks the result before it is proposed.
#include <fmt/format.h>

#include <algorithm>

#include "rewriter/pass.hpp"
#include "rewriter/recast/facts.hpp"
#include "rewriter/recast/materialise.hpp"
#include "rewriter/recast/report.hpp"
#include "rewriter/recast/verify.hpp"

using namespace aegis;

namespace {

Result<PassOutput> plan(const PassInput& input) {
  const Model& model = *input.model;
  const PrecisionOptions& options = input.precision;
  PassOutput out;
  if (!is_narrow_float(options.to)) return out;
  for (const Node& node : model.nodes()) {
    if (!node.alive) continue;
    if (const std::string_view why = recast::training(model, node); !why.empty()) {
      out.refused.push_back({"recast_float", "training", fmt::format("{}: {}", label(model, node.id), why), node.id});
      return out;
    }
  }
  AEGIS_TRY(const recast::Choice choice, recast::choose(model, *input.types, options));
  out.wide = recast::wide_nodes(model, choice);
  out.nodes_low = recast::narrow_nodes(model, *input.types, choice, options.to);
  if (!choice.anything()) return out;

  recast::Materialised made = recast::materialise(model, *input.types, choice, options.to);
  const Patch patches[] = {std::move(made.patch)};
  AEGIS_TRY(const Model after, apply(model, patches));
  if (const auto verdict = recast::verify(after); !verdict) {
    const bool source_too = !recast::verify(model);
    out.refused.push_back(
        {"recast_float", source_too ? "invalid_model" : "invalid_result",
         fmt::format("{}{}", source_too ? "the model is invalid before the recast: " : "", verdict.error().message),
         NodeId::none});
    return out;
  }
  out.casts_added = made.casts_added;
  out.casts_dropped = made.casts_dropped;
  out.patches.push_back(patches[0]);
  return out;
}

}  // namespace

AEGIS_PASS(recast_float) = {.name = "recast_float", .safety = Safety::lossy, .plan = plan};
