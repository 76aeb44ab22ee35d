// Names on the command line that have to be in the model: a typo in --bind, --shapes, --range or --keep would otherwise
// do nothing and say nothing. What aegis.toml holds is for many models and may miss some.
#pragma once

#include "cli/settings.hpp"
#include "model/model.hpp"
#include "model/result.hpp"

namespace aegis {

// Errors (usage): a symbol or an input that the model lacks, a shape that contradicts a fixed extent, a glob that
// matches no node; with the names that there are.
Result<void> check_asked_names(const Settings& settings, const Model& model);

}  // namespace aegis
