#include "cli/option.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <utility>
#include <vector>

#include "linter/match.hpp"

namespace aegis {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Error wrong(const Option& option, std::string_view value, std::string_view expected, std::string_view hint = "") {
  const std::string name = option.name.empty() ? fmt::format("`{}`", option.key) : fmt::format("--{}", option.name);
  return Error{.fault = Fault::usage,
               .code = "",
               .message = fmt::format("{} is `{}`, expected {}{}", name, value, expected, hint),
               .where = "",
               .notes = {}};
}

Result<void> check_choice(const Option& option, std::string_view value) {
  const std::vector<std::string> choices = split(option.choices, '|');
  for (const std::string& choice : choices)
    if (choice == value) return {};
  std::string expected = "one of ";
  for (std::size_t i = 0; i < choices.size(); ++i) expected += (i ? ", " : "") + choices[i];
  return wrong(option, value, expected, did_you_mean(value, choices));
}

template <class Number>
bool is_number(std::string_view text) {
  Number number{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  return problem == std::errc{} && end == text.data() + text.size() && number >= 0;
}

// Of a text that is_number.
bool is_at_most_one(std::string_view text) {
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number <= 1;
}

}  // namespace

std::optional<std::uint64_t> bytes_from_text(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{}) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  constexpr std::pair<std::string_view, int> units[] = {{"", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}};
  for (const auto& [name, shift] : units)
    if (unit == name && number <= std::numeric_limits<std::uint64_t>::max() >> shift) return number << shift;
  return std::nullopt;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> parts;
  for (std::string& part : split(text, ',')) {
    const std::size_t from = part.find_first_not_of(' ');
    if (from != std::string::npos) parts.push_back(part.substr(from, part.find_last_not_of(' ') - from + 1));
  }
  return parts;
}

Result<void> check_option_value(const Option& option, std::string_view value) {
  if (!option.bare.empty() && value == option.bare) return {};
  switch (option.kind) {
    case OptionKind::flag:
      if (value != "true" && value != "false") return wrong(option, value, "true or false");
      return {};
    case OptionKind::integer:
      if (!is_number<std::int64_t>(value)) return wrong(option, value, "a whole number from 0 on");
      return {};
    case OptionKind::real:
      if (!is_number<double>(value)) return wrong(option, value, "a number from 0 on");
      return {};
    case OptionKind::share:
      if (!is_number<double>(value) || !is_at_most_one(value)) return wrong(option, value, "a share from 0 to 1");
      return {};
    case OptionKind::bytes:
      if (!bytes_from_text(value)) return wrong(option, value, "a whole number, such as 8589934592 or 8GiB");
      return {};
    case OptionKind::choice: return check_choice(option, value);
    case OptionKind::list:
      if (option.choices.empty()) return {};
      for (const std::string& part : split_list(value)) AEGIS_CHECK(check_choice(option, part));
      return {};
    case OptionKind::text:
    case OptionKind::repeated:
      if (value.empty()) return wrong(option, value, fmt::format("{}, not nothing", option.value));
      return {};
  }
  return {};
}

}  // namespace aegis
