// A Validation as the value that every report is made from: the keys of `aegis validate --format json`, and of
// `validation` in the document of a rewrite.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "validator/validate.hpp"

namespace aegis {

// verdict, reason, detail, evidence, engine, modes, inputs, accuracy, task, first_bad, not_run, coverage, limits,
// not_covered, speed. Unknown is null.
nlohmann::ordered_json validation_document(const Validation& validation);

}  // namespace aegis
