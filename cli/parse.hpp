// The command line, split into a verb, its operands and its options.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "model/result.hpp"

namespace aegis {

struct Arguments {
  const Command* command = nullptr;  // null: only --help or --version was asked for
  bool help = false, version = false;
  std::vector<std::string> operands;
  std::map<std::string, std::vector<std::string>, std::less<>> options;  // by name; a flag holds {"true"}
};

// `words` excludes the program's own name. Errors (usage): unknown verb or option, with the nearest known one; a
// missing or superfluous operand; a value that the option does not take.
Result<Arguments> parse_arguments(std::span<const std::string> words);

}  // namespace aegis
