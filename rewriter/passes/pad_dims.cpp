// Pads the dims of matrix products and convolutions that are off the multiple their type wants: weights grow by recipe,
// the padded extent travels through the graph, the interface stays. A second run finds every dim aligned or refused.
#include "rewriter/padding/emit.hpp"
#include "rewriter/padding/planner.hpp"
#include "rewriter/padding/profit.hpp"
#include "rewriter/pass.hpp"

namespace aegis {
namespace {

Result<PassOutput> plan(const PassInput& input) {
  PassOutput out;
  const padding::ClassGraph graph = padding::build_classes(*input.model, *input.types, input.padding);
  std::vector<padding::Want> wants = padding::wanted_axes(graph, input);
  if (input.padding.gate == PaddingOptions::Gate::predicted) padding::best_multiples(graph, wants, input);
  std::map<padding::Point, padding::Reason> excluded;
  padding::PaddingPlan plan = padding::plan_padding(graph, wants, input, excluded);
  // What does not pay is left out; what is left may then pay less, so it is asked again.
  while (input.padding.gate == PaddingOptions::Gate::predicted && !plan.padded.empty()) {
    AEGIS_TRY(const auto dropped, padding::unprofitable(graph, plan, input));
    if (dropped.empty()) break;
    excluded.insert(dropped.begin(), dropped.end());
    plan = padding::plan_padding(graph, wants, input, excluded);
  }
  if (!plan.padded.empty()) padding::emit(graph, plan, out);
  out.refused = std::move(plan.refused);
  return out;
}

bool wanted(const RewriteRequest& request) { return request.pad; }

}  // namespace
}  // namespace aegis

using namespace aegis;

AEGIS_PASS(pad_dims) = {.name = "pad_dims", .safety = Safety::close, .order = 20, .wanted = wanted, .plan = plan};
