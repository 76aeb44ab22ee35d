// The examples of rules as models: what the tests run, and what `aegis plugin check` runs over a pack.
#pragma once

#include "linter/lint.hpp"
#include "linter/rules.hpp"
#include "model/model.hpp"
#include "model/result.hpp"

namespace aegis {

// The example's graph, with the inputs that `weights` names as initializers. The list is separated by ";": "w" is
// normal by fan-in, "w=normal(100,1)" has mean and deviation, "w=const(1e-9)" is one number. Seeded: equal on every
// call.
Result<Model> example_model(const RuleExample& example);

// Runs one rule alone over an example, as the example's target, type, runtime and words of the command line say. `book`
// holds the rule; null: it is one of the program's own.
Result<LintResult> run_example(const Rule& rule, const RuleExample& example, const Evaluator* evaluator = nullptr,
                               const RuleBook* book = nullptr);

}  // namespace aegis
