#include "cli/units.hpp"

#include <fmt/format.h>

#include <cmath>

namespace aegis {

std::string short_number(double value) {
  const double size = std::abs(value);
  if (size == 0 || (size < 1e15 && size >= 100)) return fmt::format("{:.0f}", value);
  if (size < 1e-4 || size >= 1e15) return fmt::format("{:.2e}", value);
  std::string text = fmt::format("{:.{}f}", value, size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 5);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string with_prefix(double value, std::string_view unit) {
  constexpr std::string_view prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t step = 0;
  while (std::abs(value) >= 999.5 && step + 1 < std::size(prefixes)) {
    value /= 1000;
    ++step;
  }
  std::string text = short_number(value);
  if (!prefixes[step].empty() || (!unit.empty() && unit[0] != ' ')) text += ' ';
  return text.append(prefixes[step]).append(unit);
}

std::string as_time(double microseconds) {
  if (std::abs(microseconds) >= 1e6) return short_number(microseconds / 1e6) + " s";
  if (std::abs(microseconds) >= 1e3) return short_number(microseconds / 1e3) + " ms";
  return short_number(microseconds) + " us";
}

std::string as_quantity(std::string_view key, double value) {
  const auto has = [&](std::string_view word) { return key.find(word) != std::string_view::npos; };
  if (has("percent")) return short_number(value) + " %";
  if (has("time_us") || key.ends_with("_us")) return as_time(value);
  if (has("intensity") || key == "ridge") return short_number(value) + " FLOP/B";
  if (has("flops")) return with_prefix(value, "FLOP");
  if (has("bytes")) return with_prefix(value, "B");
  if (has("_db")) return short_number(value) + " dB";
  return short_number(value);
}

}  // namespace aegis
