// Text without allocation: strings across the plugin line, and messages put together in a buffer on the stack. The
// holes of a message are counted when the rule is compiled.
#pragma once

#include <aegis/aegis.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace aegis::sdk {

constexpr std::string_view view(aegis_str text) { return {text.data, static_cast<std::size_t>(text.size)}; }
constexpr aegis_str str(std::string_view text) { return {text.data(), text.size()}; }

// A message of at most 1 KiB, the limit of the host; the rest is cut.
class Text {
 public:
  std::string_view view() const { return {buffer_, size_}; }

  void append(std::string_view text) {
    for (const char c : text) {
      if (size_ == sizeof buffer_) return;
      buffer_[size_++] = c;
    }
  }
  void append(aegis_str text) { append(sdk::view(text)); }
  template <class Integer>
    requires std::is_integral_v<Integer>
  void append(Integer number) {
    char digits[24];
    append(std::string_view(digits, std::to_chars(digits, digits + sizeof digits, number).ptr));
  }
  // Three significant digits, never in scientific form between 1e-4 and 1e15; "unknown" for NaN.
  void append(double number) {
    if (std::isnan(number)) return append(std::string_view("unknown"));
    const double size = std::fabs(number);
    char digits[40];
    char* end = digits;
    if (size != 0 && (size < 1e-4 || size >= 1e15)) {
      end = std::to_chars(digits, digits + sizeof digits, number, std::chars_format::scientific, 2).ptr;
    } else {
      const int decimals = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size >= 0.1 ? 3 : 6;
      end = std::to_chars(digits, digits + sizeof digits, number, std::chars_format::fixed, decimals).ptr;
      if (decimals > 0) {
        while (end[-1] == '0') --end;
        if (end[-1] == '.') --end;
      }
    }
    append(std::string_view(digits, end));
  }
  void append(float number) { append(static_cast<double>(number)); }

 private:
  char buffer_[1024];
  std::size_t size_ = 0;
};

// A format string with exactly one "{}" for each argument; another count does not compile.
template <class... Args>
struct Format {
  template <std::size_t N>
  consteval Format(const char (&message)[N]) : text(message, N - 1) {
    std::size_t holes = 0;
    for (std::size_t i = 0; i + 2 < N; ++i) holes += message[i] == '{' && message[i + 1] == '}' ? 1u : 0u;
    if (holes != sizeof...(Args)) throw "the message has another number of {} than arguments";
  }
  std::string_view text;
};

template <class... Args>
void format(Text& out, std::string_view text, const Args&... args) {
  [[maybe_unused]] const auto piece = [&](const auto& argument) {
    const std::size_t hole = text.find("{}");
    out.append(text.substr(0, hole));
    out.append(argument);
    text.remove_prefix(hole + 2);
  };
  (piece(args), ...);
  out.append(text);
}

}  // namespace aegis::sdk
