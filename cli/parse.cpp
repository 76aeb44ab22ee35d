#include "cli/parse.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/option.hpp"
#include "linter/match.hpp"

// CLI11 is seen by this file alone: it costs six seconds in every file that includes it. It splits the words; what an
// option is, and which values it takes, stands in the option table.

namespace aegis {
namespace {

Error usage(std::string message) {
  return Error{.fault = Fault::usage, .code = "", .message = std::move(message), .where = "", .notes = {}};
}

std::vector<const Option*> options_of(const Command* command) {
  std::vector<const Option*> options;
  if (command)
    for (std::string_view name : command->options) options.push_back(find_option(name));
  for (std::string_view name : common_options()) options.push_back(find_option(name));
  return options;
}

// The verb that the first words name: the longest match wins, so that "config verify" beats "config".
const Command* leading_command(std::span<const std::string> words, std::size_t& used) {
  for (std::size_t n : {std::size_t{2}, std::size_t{1}}) {
    if (words.size() < n) continue;
    const std::string name = n == 2 ? words[0] + " " + words[1] : words[0];
    if (const Command* command = find_command(name)) {
      used = n;
      return command;
    }
  }
  return nullptr;
}

Error unknown_command(std::span<const std::string> words) {
  std::vector<std::string> names;
  for (const Command* command : commands()) names.emplace_back(command->name);
  return usage(
      fmt::format("`{}` is no command of aegis{}; `aegis --help` lists them", words[0], did_you_mean(words[0], names)));
}

Error unknown_option(const std::string& word, const Command* command, std::span<const Option* const> options) {
  std::vector<std::string> names;
  for (const Option* option : options) names.push_back(fmt::format("--{}", option->name));
  const std::string stem = word.substr(0, word.find('='));
  const bool elsewhere = stem.starts_with("--") && find_option(stem.substr(2));
  const std::string verb = command ? fmt::format("aegis {}", command->name) : "aegis";
  return usage(fmt::format("`{}` {}{}; `{} --help` lists its options", stem,
                           elsewhere ? fmt::format("is no option of `{}`", verb) : "is no option",
                           did_you_mean(stem, names), verb));
}

// An option that may stand alone never takes the next word as its value: "--pad net.onnx" pads net.onnx.
std::vector<std::string> with_bare_values(std::span<const std::string> words, std::span<const Option* const> options) {
  std::vector<std::string> result(words.begin(), words.end());
  for (std::string& word : result) {
    if (word == "--") break;
    for (const Option* option : options)
      if (!option->bare.empty() && word == fmt::format("--{}", option->name)) word += fmt::format("={}", option->bare);
  }
  return result;
}

Result<void> check_operands(const Command& command, std::size_t count) {
  const auto at_least = static_cast<std::size_t>(command.min_operands);
  if (count < at_least)
    return usage(fmt::format("`aegis {}` got {} operand{}, expected {}; see `aegis {} --help`", command.name, count,
                             count == 1 ? "" : "s", command.operands, command.name));
  if (command.max_operands >= 0 && count > static_cast<std::size_t>(command.max_operands))
    return usage(fmt::format("`aegis {}` got {} operands, expected {}; see `aegis {} --help`", command.name, count,
                             command.operands.empty() ? "none" : command.operands, command.name));
  return {};
}

std::string first_lower(std::string text) {
  if (!text.empty() && text.size() > 1 && text[1] >= 'a' && text[1] <= 'z' && text[0] >= 'A' && text[0] <= 'Z')
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  while (!text.empty() && (text.back() == '.' || text.back() == '\n')) text.pop_back();
  return text;
}

}  // namespace

Result<Arguments> parse_arguments(std::span<const std::string> words) {
  Arguments arguments;
  std::size_t used = 0;
  arguments.command = leading_command(words, used);
  if (!arguments.command && !words.empty() && !words[0].starts_with("-")) return unknown_command(words);
  const std::vector<const Option*> options = options_of(arguments.command);

  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::map<std::string, std::vector<std::string>, std::less<>> values;
  std::map<std::string, bool, std::less<>> flags;
  for (const Option* option : options) {
    const std::string name(option->name);
    const std::string names = option->letter ? fmt::format("-{},--{}", option->letter, name) : "--" + name;
    if (option->kind == OptionKind::flag) {
      app.add_flag(names, flags[name]);
    } else {
      app.add_option(names, values[name])
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
          ->allow_extra_args(false);
    }
  }
  app.add_option("operands", arguments.operands);
  try {
    std::vector<std::string> rest = with_bare_values(words.subspan(used), options);
    std::reverse(rest.begin(), rest.end());  // CLI11 takes them from the back
    app.parse(std::move(rest));
  } catch (const CLI::ParseError& problem) {
    return usage(first_lower(problem.what()));
  }
  for (const std::string& word : app.remaining())
    if (word != "--") return unknown_option(word, arguments.command, options);

  for (const Option* option : options) {
    const std::string name(option->name);
    if (option->kind == OptionKind::flag) {
      if (flags[name]) arguments.options[name] = {"true"};
    } else if (!values[name].empty()) {
      for (const std::string& value : values[name]) AEGIS_CHECK(check_option_value(*option, value));
      arguments.options[name] = values[name];
    }
  }
  arguments.help = flags["help"];
  arguments.version = flags["version"];
  if (arguments.help || arguments.version) return arguments;
  if (!arguments.command) return usage("no command was given, expected one of those that `aegis --help` lists");
  AEGIS_CHECK(check_operands(*arguments.command, arguments.operands.size()));
  return arguments;
}

}  // namespace aegis
