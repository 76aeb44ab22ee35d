// What lint found, as the document says it.
#pragma once

#include <string>

#include "cli/command.hpp"
#include "linter/lint.hpp"

namespace aegis {

Json finding_json(const Finding& finding);
// One entry of models[].
Json lint_json(const std::string& path, const LintResult& result);
// The entry of a file that could not be used.
Json lint_error_json(const std::string& path, const Error& error);

}  // namespace aegis
