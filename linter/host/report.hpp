// From drafts to findings: places get their names, evidence its units, findings their fingerprints.
#pragma once

#include <span>
#include <vector>

#include "linter/host/draft.hpp"
#include "linter/lint.hpp"
#include "linter/suppress.hpp"

namespace aegis::host {

// In the order of the drafts.
std::vector<Finding> findings_of(const Model& model, std::span<const Draft> drafts, const Suppressor& suppressor);

// What the findings that pin and are not suppressed keep wide: what their KeepWide Requests name; without one anchor,
// members and related nodes.
std::vector<Pin> pins_of(std::span<const Finding> findings);

}  // namespace aegis::host
