// The text form of a lint document.
#pragma once

#include "cli/command.hpp"

namespace aegis {

void lint_text(const Json& document, const TextStyle& style, std::ostream& out);

// "/encoder/*/MatMul_1": the names of equal nodes with what differs between them as a star.
std::string common_name(const std::vector<std::string>& names);

}  // namespace aegis
