// The system calls of a test program, in the hands of the test: the linker sends each call of the house through
// calls.cpp, which counts it and does to it what the plan says.
#pragma once

#include <string>

namespace aegis::test {

struct Plan {
  int at = -1;         // the call that is meant, counted from 0; -1: none
  int error = 0;       // it fails with this errno and does nothing
  bool kill = false;   // the process is killed in place of the call
  std::string refuse;  // these calls always fail with refuse_error: "copy_file_range sendfile"
  int refuse_error = 0;
  bool no_tmpfile = false;  // O_TMPFILE is not known
  std::size_t most = 0;     // reads, writes and copies of more bytes stop there; 0: they do not
  int interrupts = 0;       // each of so many calls that may be interrupted fails with EINTR, then works
};

// Puts the plan in force and the count at 0.
void plan_calls(const Plan& plan);
int calls_made();
// The name of the call that the plan meant; empty when it was never reached.
std::string struck();

}  // namespace aegis::test
