// The text form of one finding, and what other texts of nodes share with it.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/term.hpp"

namespace aegis {

// `finding` is an entry of findings[], `path` that of its model.
void finding_text(const std::string& path, const Json& finding, const TextStyle& style, std::ostream& out);

Paint colour_of(std::string_view severity);

// "/encoder/*/MatMul_1": the names of equal nodes with what differs between them as a star.
std::string common_name(const std::vector<std::string>& names);

}  // namespace aegis
