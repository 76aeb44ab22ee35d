// Running one rule over all its units of a view.
#pragma once

#include <vector>

#include "linter/host/context.hpp"
#include "linter/suppress.hpp"

namespace aegis::host {

struct Outcome {
  std::vector<Draft> drafts;  // folded, in the order of the units; none of a unit that failed
  Absences absent{};
  std::vector<std::string> log;  // what the rule or the host had to say about the rule
};

// A rule that fails, runs out of time or finds too much is a finding of its own (PK801, PK802) among the drafts.
Outcome run_rule(const Rule& rule, const ViewState& view, const LintOptions& options, const Suppressor& suppressor);

}  // namespace aegis::host
