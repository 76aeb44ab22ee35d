// What changed between two texts, line by line.
#pragma once

#include <string>
#include <string_view>

namespace aegis {

// The changed lines with `context` lines around them, as unified diffs write them ("@@ -1,4 +1,5 @@", " ", "-", "+");
// empty when the texts are equal. The shortest script by Myers' algorithm; beyond `max_changes` changed lines in one
// stretch the rest of it is given as removed and added whole.
std::string line_diff(std::string_view before, std::string_view after, std::size_t context = 2,
                      std::size_t max_changes = 2000);

}  // namespace aegis
