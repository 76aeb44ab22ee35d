// A folder of its own for a test, gone when the test ends.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace aegis::test {

struct Folder {
  std::filesystem::path path;
  Folder() {
    char name[] = "/tmp/aegis-model-XXXXXX";
    path = ::mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path); }
};

}  // namespace aegis::test
