#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/option.hpp"
#include "cli/report.hpp"
#include "cli/term.hpp"

namespace aegis {
namespace {

constexpr std::size_t column = 28;  // where the explanation of an option begins

std::string head_of(const Option& option) {
  std::string head = option.letter ? fmt::format("-{}, ", option.letter) : "";
  head += fmt::format("--{}", option.name);
  if (option.kind == OptionKind::flag) return head;
  const std::string value(option.kind == OptionKind::choice ? option.choices : option.value);
  return option.bare.empty() ? fmt::format("{} {}", head, value) : fmt::format("{}[={}]", head, value);
}

std::string text_of(const Option& option) {
  std::string text(option.help);
  if (option.kind == OptionKind::repeated || option.kind == OptionKind::list) text += "; may be repeated";
  if (!option.choices.empty() && option.kind == OptionKind::list) text += fmt::format(" ({})", option.choices);
  if (!option.otherwise.empty()) text += fmt::format(" [default: {}]", option.otherwise);
  if (!option.key.empty()) text += fmt::format(" [aegis.toml: {}]", option.key);
  return text;
}

// Hangs the lines of a wrapped text below its first one.
std::string hang(const TextStyle& style, const std::string& head, const std::string& text) {
  const std::string prefix = "  " + head;
  if (width_of(prefix) + 2 > column) return prefix + "\n" + wrap(style, text, column, column) + "\n";
  std::string body = wrap(style, text, column, column);
  return prefix + body.substr(width_of(prefix)) + "\n";
}

std::string paragraphs(const TextStyle& style, std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    result += wrap(style, text.substr(0, end), 0, 0) + "\n";
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return result;
}

}  // namespace

std::string program_help(const TextStyle& style) {
  std::string text =
      "aegis: finds where an ONNX model wastes a GPU's time or loses accuracy, rewrites it, and proves the rewrite by "
      "running both";
  text = paragraphs(style, text) + "\nusage: aegis COMMAND [OPTIONS] OPERANDS\n\n";
  std::vector<const Command*> sorted(commands().begin(), commands().end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Command* a, const Command* b) { return a->order < b->order; });
  for (const Command* command : sorted)
    text += hang(style, fmt::format("{} {}", command->name, command->operands), std::string(command->summary));
  text += "\n";
  text += hang(style, "COMMAND --help", "the options of one command");
  text += hang(style, "--version", std::string(find_option("version")->help));
  text +=
      "\n" + paragraphs(style,
                        "exit codes: 0 clean, 1 a gate failed, 2 wrong usage or configuration, 3 a file could not be "
                        "read or written, 4 validation failed or was inconclusive, 5 a fault of aegis itself");
  return text;
}

std::string command_help(const Command& command, const TextStyle& style) {
  std::string text = wrap(style, fmt::format("aegis {}: {}", command.name, command.summary), 0, 2) + "\n\n";
  text += fmt::format("usage: aegis {} {}{}[OPTIONS]\n", command.name, command.operands,
                      command.operands.empty() ? "" : " ");
  if (!command.detail.empty()) text += "\n" + paragraphs(style, command.detail);
  text += "\n";
  for (std::string_view name : command.options)
    text += hang(style, head_of(*find_option(name)), text_of(*find_option(name)));
  text += "\n";
  for (std::string_view name : common_options()) {
    std::string help = text_of(*find_option(name));
    if (name == "format") {
      help += "; formats:";
      for (const ReportFormat* format : report_formats()) help += fmt::format(" {}", format->name);
    }
    text += hang(style, head_of(*find_option(name)), help);
  }
  return text;
}

}  // namespace aegis
