// The text form of a rewrite document.
#pragma once

#include "cli/command.hpp"

namespace aegis {

void rewrite_text(const Json& document, const TextStyle& style, std::ostream& out);

}  // namespace aegis
