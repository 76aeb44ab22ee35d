// From settings to what a rewrite is to do, and where it may write.
#pragma once

#include <string>

#include "cli/settings.hpp"
#include "model/model.hpp"
#include "model/save.hpp"
#include "rewriter/plan.hpp"
#include "validator/validate.hpp"

namespace aegis {

// --pad, --bf16, --fp16 and what shapes them. Errors (usage): two types at once, or a change that is less safe than
// --accept allows.
Result<RewriteRequest> asked_rewrite(const Settings& settings);

// What the validator is asked for, without the promise, which depends on the plan.
Result<ValidateOptions> asked_validation(const Settings& settings);

// Where the result goes, and how. `path` is empty for --dry-run.
struct Destination {
  std::string path;
  SaveOptions options;
};
// Errors (usage): no output, two of them, or the model itself without --in-place. Errors (file): it exists and --force
// is missing; in place of a link, or of a file that has several names.
Result<Destination> asked_destination(const Settings& settings, const std::string& model);

}  // namespace aegis
