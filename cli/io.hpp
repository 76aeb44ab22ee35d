// Where a command reads its surroundings from and writes to. Commands touch no global stream, so that tests call them
// in-process and a worker can run them with a pipe.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/worker/phase.hpp"

namespace aegis {

struct Io {
  std::istream* in = nullptr;
  std::ostream* out = nullptr;  // results and nothing else
  std::ostream* err = nullptr;  // notes, progress, errors
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  int columns = 80;                                           // width of the terminal, or 80
  const char* (*environment)(const char*) = nullptr;          // getenv, or a test's own; may be null
  std::vector<std::string> (*environment_names)() = nullptr;  // of all variables; may be null
  EnterPhase enter;  // in a worker: tells its parent what comes next; may be empty
};

inline void enter(const Io& io, Phase phase) {
  if (io.enter) io.enter(phase);
}

// The process's own streams.
Io standard_io();

}  // namespace aegis
