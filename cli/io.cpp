#include "cli/io.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>

namespace aegis {

Io standard_io() {
  Io io{.in = &std::cin, .out = &std::cout, .err = &std::cerr};
  io.out_is_terminal = isatty(STDOUT_FILENO) != 0;
  io.err_is_terminal = isatty(STDERR_FILENO) != 0;
  winsize size{};
  if (io.out_is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) io.columns = size.ws_col;
  io.environment = [](const char* name) -> const char* { return std::getenv(name); };
  io.environment_names = [] {
    std::vector<std::string> names;
    for (char** entry = environ; *entry; ++entry) names.emplace_back(*entry, std::strcspn(*entry, "="));
    return names;
  };
  return io;
}

}  // namespace aegis
