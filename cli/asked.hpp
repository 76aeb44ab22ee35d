// From settings to what the libraries take: bindings, targets, options of the linter.
#pragma once

#include <span>
#include <string>

#include "cli/settings.hpp"
#include "linter/lint.hpp"
#include "model/model.hpp"
#include "ops/infer.hpp"
#include "ops/target.hpp"

namespace aegis {

// --bind, --shapes and [shapes]; numbers are assumed for the rest unless --no-assume. Errors (usage): not SYMBOL=N.
Result<Binding> asked_binding(const Settings& settings);

// --target; every name is looked up in the device table, or in the one of --devices.
Result<std::vector<Target>> asked_targets(const Settings& settings);

// Everything else that lint is asked for: types, rules, severities, options, budgets, suppressions, ranges. The options
// point to `targets` and `evaluator`.
Result<LintOptions> asked_lint(const Settings& settings, std::span<const Target> targets, const Evaluator* evaluator);

// --jobs, or the number of cores.
int asked_threads(const Settings& settings);

// --range and [inputs].
Result<std::map<std::string, std::pair<double, double>>> asked_ranges(const Settings& settings);

// A note about a default that the user should know: which target was judged for. Empty with --quiet or when given.
std::string default_target_note(const Settings& settings);

// Today in UTC as "2026-12-01": suppressions expire by it.
std::string today();

// A model file, or standard input for "-", under the limits, --external-data-policy and --pointers of the run.
Result<Model> load_asked(const std::string& path, const Settings& settings, Io& io);

}  // namespace aegis
