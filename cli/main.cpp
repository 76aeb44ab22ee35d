#include <string>
#include <vector>

#include "cli/program.hpp"
#include "cli/worker/interrupt.hpp"

int main(int argc, char** argv) {
  aegis::Io io = aegis::standard_io();
  const std::vector<std::string> words(argv + 1, argv + argc);
  const aegis::Exit exit = aegis::run_program(words, io);
  if (exit == aegis::Exit::interrupted) aegis::end_by_signal(aegis::interrupted_by());
  return static_cast<int>(exit);
}
