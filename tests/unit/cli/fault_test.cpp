// Faults of the program itself.
#include <catch2/catch_test_macros.hpp>
#include <stdexcept>

#include "run.hpp"

using namespace aegis;

TEST_CASE("an exception ends the program with exit 5 and a text, never a crash") {
  std::ostringstream out, err;
  Io io{.in = nullptr, .out = &out, .err = &err, .environment = [](const char*) -> const char* {
          throw std::runtime_error("a surprise");
        }};
  const std::vector<std::string> words = {"rules"};
  CHECK(run_program(words, io) == Exit::internal);
  CHECK(out.str().empty());
  CHECK(err.str().find("a surprise") != std::string::npos);
  CHECK(err.str().find("report") != std::string::npos);
}
