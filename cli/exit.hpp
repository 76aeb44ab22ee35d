// What the program tells its caller.
#pragma once

#include <cstdint>

#include "model/result.hpp"

namespace aegis {

enum class Exit : std::uint8_t {
  clean = 0,
  gate = 1,        // findings at or above --fail-on, or a budget
  usage = 2,       // wrong usage or configuration
  file = 3,        // a file could not be read or written
  validation = 4,  // validation failed or was inconclusive
  internal = 5,    // a fault of Aegis itself
  interrupted,     // Ctrl-C: nothing was printed, and main() ends by the signal that came
};

// With many files the worst wins, in the order 5, 2, 3, 4, 1.
constexpr Exit worst(Exit a, Exit b) {
  constexpr int rank[] = {0, 1, 4, 3, 2, 5, 6};
  return rank[static_cast<int>(a)] >= rank[static_cast<int>(b)] ? a : b;
}

constexpr Exit exit_of(Fault fault) {
  switch (fault) {
    case Fault::usage: return Exit::usage;
    case Fault::file: return Exit::file;
    case Fault::validation: return Exit::validation;
    case Fault::internal:
    case Fault::memory: return Exit::internal;
  }
  return Exit::internal;
}

}  // namespace aegis
