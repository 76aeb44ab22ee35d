// Which rules run, and whether what the user said about them makes sense.
#pragma once

#include <vector>

#include "linter/lint.hpp"
#include "linter/rules.hpp"

namespace aegis {

// By code. A prefix selects the stable rules of a family (all of them under preview); a full code selects its rule
// whatever its state, and so does a level set for it. `ignore` and level off take away.
std::vector<const Rule*> selected_rules(const LintOptions& options);

// The rules that a recast listens to: every rule that pins, but for those that `ignore` or level off takes away.
std::vector<const Rule*> pinning_rules(const LintOptions& options);

// The value of an option: what the user set, a budget that feeds it, or the default.
struct OptionSetting {
  OptionValue value;
  bool set = false;  // by the user
};
OptionSetting option_setting(const Rule& rule, const RuleOption& option, const LintOptions& options);

}  // namespace aegis
