#include "linter/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "linter/match.hpp"
#include "linter/rule_book.hpp"

namespace aegis {

static bool any_prefix(const std::vector<std::string>& prefixes, std::string_view code) {
  return std::ranges::any_of(prefixes, [&](const std::string& prefix) { return code.starts_with(prefix); });
}

static bool switched_off(const Rule& rule, const LintOptions& options) {
  if (any_prefix(options.ignore, rule.code)) return true;
  const auto level = options.severities.find(rule.code);
  return level != options.severities.end() && level->second == Severity::off;
}

static bool switched_on(const Rule& rule, const LintOptions& options) {
  if (std::ranges::find(options.select, rule.code) != options.select.end()) return true;
  if (options.severities.contains(rule.code)) return true;
  if (!options.select.empty() && !any_prefix(options.select, rule.code)) return false;
  return rule.stable || options.preview;
}

std::vector<const Rule*> selected_rules(const LintOptions& options) {
  std::vector<const Rule*> out;
  for (const Rule* rule : book_of(options).rules()) {
    if (!switched_off(*rule, options) && switched_on(*rule, options)) out.push_back(rule);
  }
  return out;
}

std::vector<const Rule*> pinning_rules(const LintOptions& options) {
  std::vector<const Rule*> out;
  for (const Rule* rule : book_of(options).rules()) {
    if (rule->pins && !switched_off(*rule, options)) out.push_back(rule);
  }
  return out;
}

OptionSetting option_setting(const Rule& rule, const RuleOption& option, const LintOptions& options) {
  if (const auto code = options.options.find(rule.code); code != options.options.end()) {
    if (const auto key = code->second.find(option.key); key != code->second.end()) return {key->second, true};
  }
  if (!option.budget.empty()) {
    if (const auto budget = options.budgets.find(option.budget); budget != options.budgets.end()) {
      return {budget->second, true};
    }
  }
  return {option.value, false};
}

static Error usage(std::string message, std::string where) {
  return {.fault = Fault::usage, .code = {}, .message = std::move(message), .where = std::move(where), .notes = {}};
}

static std::vector<std::string> all_codes(const RuleBook& book) {
  std::vector<std::string> out(reserved_prefixes.begin(), reserved_prefixes.end());
  for (const Rule* rule : book.rules()) out.push_back(rule->code);
  return out;
}

static std::optional<Error> check_prefix(const RuleBook& book, const std::string& prefix, std::string where) {
  const std::vector<std::string> codes = all_codes(book);
  if (!prefix.empty() && std::ranges::any_of(codes, [&](const auto& code) { return code.starts_with(prefix); })) {
    return std::nullopt;
  }
  return usage(fmt::format("no rule has the code or prefix `{}`{}; `aegis rules` lists them", prefix,
                           did_you_mean(prefix, codes)),
               std::move(where));
}

static std::optional<Error> check_code(const RuleBook& book, const std::string& code, std::string where) {
  const Rule* rule = book.find(code);
  if (rule && rule->code == code) return std::nullopt;
  return usage(
      fmt::format("no rule has the code `{}`{}; `aegis rules` lists them", code, did_you_mean(code, all_codes(book))),
      std::move(where));
}

static std::string_view kind_of(const OptionValue& value) {
  if (std::holds_alternative<bool>(value)) return "true or false";
  return std::holds_alternative<double>(value) ? "a number" : "a text";
}

static std::optional<Error> check_option(const Rule& rule, const std::string& key, const OptionValue& value) {
  const std::string where = fmt::format("{}.{}", rule.code, key);
  const auto option = std::ranges::find(rule.options, key, &RuleOption::key);
  if (option == rule.options.end()) {
    std::vector<std::string> keys;
    for (const RuleOption& known : rule.options) keys.push_back(known.key);
    return usage(fmt::format("{} {} has no option `{}`{}; `aegis explain {}` lists its options", rule.code, rule.name,
                             key, did_you_mean(key, keys), rule.code),
                 where);
  }
  if (value.index() != option->value.index()) {
    return usage(fmt::format("the option is {}, expected {}", kind_of(value), kind_of(option->value)), where);
  }
  const double* number = std::get_if<double>(&value);
  if (number && option->max > option->min && !(*number >= option->min && *number <= option->max)) {
    return usage(fmt::format("the option is {}, expected {} to {}", *number, option->min, option->max), where);
  }
  const std::string* text = std::get_if<std::string>(&value);
  if (text && !option->choices.empty() && std::ranges::find(option->choices, *text) == option->choices.end()) {
    return usage(fmt::format("the option is `{}`, expected one of {}{}", *text, fmt::join(option->choices, ", "),
                             did_you_mean(*text, option->choices)),
                 where);
  }
  return std::nullopt;
}

static std::optional<Error> first_problem(const LintOptions& options) {
  const RuleBook& book = book_of(options);
  for (const auto& prefix : options.select) {
    if (auto error = check_prefix(book, prefix, "select")) return error;
  }
  for (const auto& prefix : options.ignore) {
    if (auto error = check_prefix(book, prefix, "ignore")) return error;
  }
  for (const auto& [code, severity] : options.severities) {
    if (auto error = check_code(book, code, "rules")) return error;
  }
  for (const auto& [code, values] : options.options) {
    if (auto error = check_code(book, code, "rules")) return error;
    for (const auto& [key, value] : values) {
      if (auto error = check_option(*book.find(code), key, value)) return error;
    }
  }
  for (const Suppression& suppression : options.suppressions) {
    if (auto error = check_prefix(book, suppression.rule, suppression.origin)) return error;
    if (suppression.reason.empty()) {
      return usage(fmt::format("the suppression of {} at `{}` has no reason, expected one: say why it may stay",
                               suppression.rule, suppression.node),
                   suppression.origin);
    }
  }
  return std::nullopt;
}

Result<void> check_options(const LintOptions& options) {
  if (auto error = first_problem(options)) return std::move(*error);
  return {};
}

}  // namespace aegis
