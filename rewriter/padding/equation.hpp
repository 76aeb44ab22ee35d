// The equation of an Einsum, taken apart.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aegis::padding {

struct Equation {
  std::vector<std::string> operands;  // labels, one letter an axis
  std::string result;
};

// Nullopt: an ellipsis, or not an equation over `operands` terms. Without "->" the result has the labels that occur
// once, in alphabetical order.
std::optional<Equation> parse_equation(std::string_view text, std::size_t operands);

}  // namespace aegis::padding
