// Numbers for people: three significant digits and a unit with its prefix.
#pragma once

#include <string>
#include <string_view>

namespace aegis {

std::string with_prefix(double value, std::string_view unit);  // 1.72e10, "FLOP" -> "17.2 GFLOP"
std::string short_number(double value);                        // 0.305, 17.2, 1048
std::string as_time(double microseconds);                      // "9.8 us", "1.24 ms"
// An evidence entry by its key: "bytes_min", 2.94e7 -> "29.4 MB"; the unit is read off the key's end.
std::string as_quantity(std::string_view key, double value);

}  // namespace aegis
