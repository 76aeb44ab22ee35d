// Command: one verb of the program, one file in cli/cmd; a generated table lists them.
//
// A verb is a function from settings to a document: the JSON value of the output contract. Every report format,
// the text form included, is a function of that document, so a saved result can be printed again in another format.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>

#include "cli/exit.hpp"
#include "cli/io.hpp"
#include "model/result.hpp"

namespace aegis {

using Json = nlohmann::ordered_json;

class Settings;    // cli/settings.hpp: operands and options, wherever they came from
struct TextStyle;  // cli/term.hpp: width and colour

struct Command {
  std::string_view name;      // "lint", "config verify"
  std::string_view operands;  // "MODEL|DIR...", as --help prints it
  std::string_view summary;   // one line, lower case, no full stop
  std::string_view detail;    // the paragraphs of its --help, may be empty
  int order = 100;            // place in the program's --help
  int min_operands = 1;
  int max_operands = 1;  // -1: any number
  // Names of rows of the option table (cli/option.hpp); those that every verb takes are implied.
  std::span<const std::string_view> options;
  // Fills in the document, which holds "aegis" and "command" already. An Error ends the run without a document: for
  // a wrong option. What goes wrong with one model of many belongs into the document.
  Result<Exit> (*run)(const Settings& settings, Io& io, Json& document) = nullptr;
  // It works on one file: all of `run` is done in a worker process.
  bool isolated = false;
  // Fills in the document when that worker failed; null: the error ends the run without a document.
  void (*failed)(const Settings& settings, const Error& error, Json& document) = nullptr;
  // The text form of its document; null: the verb prints JSON in every case.
  void (*text)(const Json& document, const TextStyle& style, std::ostream& out) = nullptr;
};

std::span<const Command* const> commands();  // generated from cli/cmd/*.cpp, sorted by file name
const Command* find_command(std::string_view name);

}  // namespace aegis

// Defines the one Command of a file in cli/cmd, in the global namespace: AEGIS_COMMAND(lint) = {.name = "lint"};
#define AEGIS_COMMAND(stem)                           \
  extern const ::aegis::Command aegis_command_##stem; \
  constinit const ::aegis::Command aegis_command_##stem
