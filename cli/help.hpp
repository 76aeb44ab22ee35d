// Text that the program prints about itself, made from the table of commands and the table of options.
#pragma once

#include <string>

#include "cli/command.hpp"

namespace aegis {

// The list of commands.
std::string program_help(const TextStyle& style);
// One command: what it does, its operands and options with choices, defaults and keys.
std::string command_help(const Command& command, const TextStyle& style);
// Version, ONNX opset and IR, engines, report formats.
std::string version_text();

}  // namespace aegis
