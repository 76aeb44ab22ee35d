// rewrite(): runs the passes that a request wants, in their order, stage by stage; each stage is planned on the model
// that the one before it gave. Passes propose, this file applies: after every stage the new model is inferred again,
// and a stage whose extents, interface or validity differ from its plan is an internal error, never a result.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rewriter/pass.hpp"

namespace aegis {

// One pass that ran. The model before it is the `after` of the stage before, or the input model.
struct RewriteStage {
  std::string pass;
  PassOutput output;  // patches (applied, in order), refusals, dims, wide nodes
  Model after;        // equal to the model before when the pass proposed nothing
};

// Does the stage's pass only serve later ones?
bool prepares(const RewriteStage& stage);

struct RewriteOutcome {
  Model model;                       // the last stage's `after`
  bool changed = false;              // false: `model` is the input model, and its file's bytes are the result
  Safety safety = Safety::exact;     // the weakest promise of all applied patches
  bool same_bits = true;             // every applied patch keeps the bits on a strict engine
  std::vector<RewriteStage> stages;  // in the order in which they ran
};

// `binding` and `target` may be empty; `evaluator` is needed for the constants in padding lanes.
// Errors: a pass that fails, a patch that does not apply, a result that differs from its plan (Fault::internal).
Result<RewriteOutcome> rewrite(const Model& model, const Binding& binding, const Target* target,
                               const Evaluator& evaluator, const RewriteRequest& request);

// The stages up to and including `count`, for a caller that drops a later one after its check failed.
RewriteOutcome first_stages(const Model& model, const RewriteOutcome& outcome, std::size_t count);

}  // namespace aegis
