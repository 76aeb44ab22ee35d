// The text form of one finding, and what other texts of nodes share with it.
#pragma once

#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/term.hpp"

namespace aegis {

// `finding` is an entry of findings[], `path` that of its model.
void finding_text(const std::string& path, const Json& finding, const TextStyle& style, std::ostream& out);
// The same without its first line: the message, the figures, what to do.
void finding_details(const std::string& path, const Json& finding, const TextStyle& style, std::ostream& out);
// The node or value, "/encoder/*/MatMul_1 (24 nodes)" of a group; empty: the whole model.
std::string finding_place(const Json& finding);

Paint colour_of(std::string_view severity);

// "/encoder/*/MatMul_1": the names of equal nodes with what differs between them as a star.
std::string common_name(const std::vector<std::string>& names);

}  // namespace aegis
