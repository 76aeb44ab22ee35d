// The order of the house as data: which folder may include which, and where heavy headers are kept out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace aegis::house {

struct Violation {
  std::string file;  // relative to the source tree
  int line = 0;      // 1-based
  std::string message;
};

// The folder of the house that a file belongs to ("model", "ops", ..., "plugins", "tests"), or "" when it is in none.
std::string_view folder_of(std::string_view file);

// Holds every #include of `text` against the order. `file` is relative to the source tree, with forward slashes.
std::vector<Violation> check_includes(std::string_view file, std::string_view text);

}  // namespace aegis::house
