// A validation, as documents and texts say it: the whole document of `validate`, and a part of that of `rewrite`.
#pragma once

#include <iosfwd>

#include "cli/command.hpp"
#include "validator/validate.hpp"

namespace aegis {

// The keys of the `validate` document, without its frame.
Json validation_json(const Validation& validation);

// The verdict on one line, then what stands against it; every line begins with `indent` spaces.
void validation_text(const Json& validation, std::size_t indent, const TextStyle& style, std::ostream& out);

// pass and warn are clean, fail and degenerate are not.
Exit exit_of(Verdict verdict);

}  // namespace aegis
