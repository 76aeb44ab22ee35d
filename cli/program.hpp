// One run of the program, from words to exit code, on given streams: what main() calls, and tests.
#pragma once

#include <span>
#include <string>

#include "cli/exit.hpp"
#include "cli/io.hpp"

namespace aegis {

Exit run_program(std::span<const std::string> words, Io& io);

}  // namespace aegis
