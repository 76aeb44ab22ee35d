// The model at a glance, and how much of it could be analysed.
#pragma once

#include "linter/host/view.hpp"
#include "linter/lint.hpp"

namespace aegis {

Profile profile_of(const host::ViewState& view);
Coverage coverage_of(const host::ViewState& view);

// "unknown_dim", "no_weights": why a fact is absent.
std::string_view absence_name(aegis_absence absence);

}  // namespace aegis
