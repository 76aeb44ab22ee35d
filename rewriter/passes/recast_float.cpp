// recast_float: FLOAT to BF16 or FP16, as much arithmetic as schemas and pins allow, with the fewest Casts.
//
// The value table gives every slot a type group; blocks (schemas, pins, runtimes) say which groups must stay FLOAT; one
// minimum cut chooses the rest; the choice becomes edits; ONNX itself checks the result before it is proposed.
#include <fmt/format.h>

#include "rewriter/pass.hpp"
#include "rewriter/recast/facts.hpp"
#include "rewriter/recast/propose.hpp"
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

  auto made = recast::propose(model, *input.types, choice, options.to);
  if (!made) {
    const bool before = !recast::verify(model);
    out.refused.push_back({"recast_float", before ? "invalid_model" : "invalid_result",
                           fmt::format("{}{}", before ? "already before the recast " : "", made.error().message)});
    return out;
  }
  out.casts_added = made->casts_added;
  out.casts_dropped = made->casts_dropped;
  out.patches.push_back(std::move(made->patch));
  return out;
}

bool wanted(const RewriteRequest& request) { return request.precision.to != DType::undefined; }

}  // namespace

AEGIS_PASS(recast_float) = {
    .name = "recast_float", .safety = Safety::lossy, .order = 40, .wanted = wanted, .plan = plan};
