#include "cli/exit.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace aegis;

TEST_CASE("the worst of many files wins in the order 5, 2, 3, 4, 1") {
  using enum Exit;
  const Exit order[] = {internal, usage, file, validation, gate, clean};
  for (std::size_t i = 0; i < std::size(order); ++i)
    for (std::size_t j = i; j < std::size(order); ++j) {
      CHECK(worst(order[i], order[j]) == order[i]);
      CHECK(worst(order[j], order[i]) == order[i]);
    }
  CHECK(exit_of(Fault::usage) == usage);
  CHECK(exit_of(Fault::file) == file);
  CHECK(exit_of(Fault::validation) == validation);
  CHECK(exit_of(Fault::internal) == internal);
}
