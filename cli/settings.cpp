#include "cli/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cli/option.hpp"
#include "linter/match.hpp"

namespace aegis {
namespace {

constexpr std::string_view prefix = "AEGIS_";
// What else of that name means something: to the engines, to ./dev and to the tests.
constexpr std::string_view others[] = {"ORT_LIB", "CACHE", "BLESS", "BINARY", "SDK"};

std::string environment_name(std::string_view option) {
  std::string name(prefix);
  for (char c : option) name += c == '-' ? '_' : (c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
  return name;
}

// A misspelt AEGIS_* would be a setting that does nothing and says nothing. What is like no option belongs to others.
Result<void> check_variables(const Io& io) {
  if (!io.environment_names) return {};
  std::vector<std::string> known;
  for (const Option& option : option_table())
    if (!option.name.empty()) known.push_back(environment_name(option.name).substr(prefix.size()));
  for (const std::string& name : io.environment_names()) {
    if (!name.starts_with(prefix)) continue;
    const std::string ending = name.substr(prefix.size());
    if (std::ranges::find(known, ending) != known.end() || std::ranges::find(others, ending) != std::end(others))
      continue;
    if (const std::string_view meant = nearest(ending, known); !meant.empty())
      return Error{.fault = Fault::usage,
                   .message = fmt::format("is set in the environment and is no setting of aegis, did you mean `{}{}`",
                                          prefix, meant),
                   .where = name};
  }
  return {};
}

}  // namespace

Result<Settings> Settings::make(Arguments arguments, Config config, const Io& io) {
  Settings settings;
  settings.arguments_ = std::move(arguments);
  settings.config_ = std::move(config);
  for (const Option& option : option_table())
    if (auto found = settings.config_.base.options.find(option.key);
        !option.key.empty() && found != settings.config_.base.options.end())
      settings.given_[std::string(option.name.empty() ? option.key : option.name)] =
          Given{found->second.values, found->second.origin, true};
  for (const Option& option : option_table()) {
    if (option.name.empty() || option.name == "help" || option.name == "version" || option.name == "plugin" ||
        !io.environment)
      continue;
    const std::string variable = environment_name(option.name);
    const char* value = io.environment(variable.c_str());
    if (!value || !*value) continue;
    if (auto checked = check_option_value(option, value); !checked) {
      Error error = std::move(checked).error();
      error.where = variable;
      return error;
    }
    settings.given_[std::string(option.name)] = Given{{value}, variable, false};
  }
  AEGIS_CHECK(check_variables(io));
  for (const auto& [name, values] : settings.arguments_.options)
    settings.given_[name] = Given{values, "command line", false};
  return settings;
}

Settings Settings::for_model(std::string_view path) const {
  Settings settings = *this;
  settings.config_.base = config_.for_model(path);
  settings.config_.overrides.clear();
  for (const Option& option : option_table()) {
    auto found = settings.config_.base.options.find(option.key);
    if (option.key.empty() || found == settings.config_.base.options.end()) continue;
    Given& given = settings.given_[std::string(option.name.empty() ? option.key : option.name)];
    if (given.values.empty() || given.from_file) given = Given{found->second.values, found->second.origin, true};
  }
  return settings;
}

const Settings::Given* Settings::find(std::string_view option) const {
  auto found = given_.find(option);
  return found == given_.end() ? nullptr : &found->second;
}

std::string Settings::origin(std::string_view option) const {
  const Given* given = find(option);
  return given ? given->origin : "default";
}

bool Settings::from_file(std::string_view option) const {
  const Given* given = find(option);
  return given && given->from_file;
}

std::string Settings::text(std::string_view option) const {
  if (const Given* given = find(option); given && !given->values.empty()) return given->values.back();
  const Option* row = find_option(option);
  if (!row) row = find_option_by_key(option);
  return row ? std::string(row->otherwise) : std::string();
}

bool Settings::flag(std::string_view option) const { return text(option) == "true"; }

std::int64_t Settings::integer(std::string_view option) const {
  const std::string value = text(option);
  std::int64_t number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

double Settings::real(std::string_view option) const {
  const std::string value = text(option);
  double number = 0;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

std::uint64_t Settings::bytes(std::string_view option) const { return bytes_from_text(text(option)).value_or(0); }

std::vector<std::string> Settings::list(std::string_view option) const {
  const Option* row = find_option(option);
  if (!row) row = find_option_by_key(option);
  std::vector<std::string> values;
  const Given* given = find(option);
  if (given) {
    values = given->values;
  } else if (row && !row->otherwise.empty()) {
    values = {std::string(row->otherwise)};
  }
  if (!row || row->kind != OptionKind::list || (given && given->from_file)) return values;
  std::vector<std::string> parts;
  for (const std::string& value : values)
    for (std::string& part : split_list(value)) parts.push_back(std::move(part));
  return parts;
}

}  // namespace aegis
