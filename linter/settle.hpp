// From what rules reported to what is said: silences, folding of equal findings, severity, merging of views. Pure
// functions over drafts; the order of what comes out is the order of what went in.
#pragma once

#include <vector>

#include "linter/host/draft.hpp"
#include "linter/lint.hpp"

namespace aegis {

// Drops what a finding of one view silences: findings of the codes that its rule names, on its anchor, members and
// related nodes. A finding that stands for several nodes loses those that are silenced, and goes with the last one.
void silence(std::vector<host::Draft>& drafts);

// Findings of one rule in one structural group with equal message, evidence keys and Requests become one: the first
// node is the anchor, the others are members, figures of cost and time are summed.
void fold(std::vector<host::Draft>& drafts);

// Certainty, and for efficiency rules what cannot pay, lower the severity; then the user's own level counts.
void settle_severity(host::Draft& draft, const LintOptions& options);

// Findings of several views that are equal in rule, anchor and message become one that lists targets and types.
void merge_views(std::vector<host::Draft>& drafts);

}  // namespace aegis
