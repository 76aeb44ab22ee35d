#include <string>
#include <vector>

#include "cli/program.hpp"

int main(int argc, char** argv) {
  aegis::Io io = aegis::standard_io();
  const std::vector<std::string> words(argv + 1, argv + argc);
  return static_cast<int>(aegis::run_program(words, io));
}
