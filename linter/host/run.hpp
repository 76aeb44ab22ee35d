// Running one rule over all its units of a view.
#pragma once

#include <chrono>
#include <vector>

#include "linter/host/context.hpp"
#include "linter/suppress.hpp"

namespace aegis::host {

struct Outcome {
  std::vector<Draft> drafts;  // folded, in the order of the units; none of a unit that failed
  Absences absent{};
  std::vector<std::string> log;  // what the rule or the host had to say about the rule
  bool out_of_time = false;      // the file's time ended before the rule did
};

using Clock = std::chrono::steady_clock;

// A rule that fails, takes too long or finds too much is a finding of its own (PK801, PK802) among the drafts.
Outcome run_rule(const Rule& rule, const ViewState& view, const LintOptions& options, const Suppressor& suppressor,
                 Clock::time_point file_deadline = Clock::time_point::max());

// The PK802 finding of a file whose time ended before these rules did.
Draft out_of_time(const std::vector<const Rule*>& rules, const LintOptions& options);

}  // namespace aegis::host
