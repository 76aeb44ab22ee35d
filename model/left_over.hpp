// What runs before left beside a result: data files of its name, temporary files of runs that were killed. They are
// named, never removed: another model may use them, or another run may be at work.
#pragma once

#include <string>
#include <vector>

namespace aegis {

// By name, in the folder of `path`; sorted.
std::vector<std::string> left_over(const std::string& path);

}  // namespace aegis
