#include "rewriter/padding/equation.hpp"

#include <algorithm>

namespace aegis::padding {

std::optional<Equation> parse_equation(std::string_view text, std::size_t operands) {
  std::string plain;
  for (const char c : text) {
    if (c != ' ') plain += c;
  }
  Equation equation;
  const std::size_t arrow = plain.find("->");
  std::string left = plain.substr(0, arrow);
  equation.operands.emplace_back();
  for (const char c : left) {
    if (c == ',') {
      equation.operands.emplace_back();
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      equation.operands.back() += c;
    } else {
      return std::nullopt;
    }
  }
  if (equation.operands.size() != operands) return std::nullopt;
  if (arrow != std::string::npos) {
    equation.result = plain.substr(arrow + 2);
    const bool letters = std::all_of(equation.result.begin(), equation.result.end(),
                                     [&](char c) { return left.find(c) != std::string::npos && c != ','; });
    return letters ? std::optional(equation) : std::nullopt;
  }
  std::erase(left, ',');
  for (const char c : left) {
    if (std::count(left.begin(), left.end(), c) == 1) equation.result += c;
  }
  std::sort(equation.result.begin(), equation.result.end());
  return equation;
}

}  // namespace aegis::padding
