// The text form of an inspect document.
#pragma once

#include "cli/command.hpp"

namespace aegis {

void inspect_text(const Json& document, const TextStyle& style, std::ostream& out);

}  // namespace aegis
