// What the loader found wrong with a file that can still be judged, as findings. They are no rules: always on, not
// suppressed, in no baseline.
#pragma once

#include <vector>

#include "linter/lint.hpp"

namespace aegis {

std::vector<Finding> load_findings_of(const Model& model);

// True for findings that say that a part of the input could not be read: the run ends as for an unreadable file.
bool is_unreadable(std::string_view code, Severity severity);

}  // namespace aegis
