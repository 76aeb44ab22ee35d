// Compares a text with tests/golden/NAME; with AEGIS_BLESS=1 in the environment it is written there instead.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace aegis::test {

inline void check_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(AEGIS_SOURCE_DIR) + "/tests/golden/" + name;
  if (std::getenv("AEGIS_BLESS")) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  std::stringstream expected;
  expected << file.rdbuf();
  INFO("AEGIS_BLESS=1 rewrites " << path);
  CHECK(text == expected.str());
}

}  // namespace aegis::test
