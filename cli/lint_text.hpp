// The text form of a lint document.
#pragma once

#include "cli/command.hpp"

namespace aegis {

void lint_text(const Json& document, const TextStyle& style, std::ostream& out);

}  // namespace aegis
