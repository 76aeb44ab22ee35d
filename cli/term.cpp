#include "cli/term.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/utf8.hpp"

namespace aegis {

std::string paint(const TextStyle& style, Paint colour, std::string_view text) {
  if (!style.colour) return std::string(text);
  constexpr std::string_view codes[] = {"1", "2", "31", "33", "36", "32"};
  return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<int>(colour)], text);
}

std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    if (text.starts_with("\x1b[")) {
      const std::size_t end = text.find('m');
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      continue;
    }
    const std::size_t length = first_code_point(text).length;
    text.remove_prefix(length ? length : 1);
    ++width;
  }
  return width;
}

std::string wrap(const TextStyle& style, std::string_view text, std::size_t first_indent, std::size_t indent) {
  const auto columns = static_cast<std::size_t>(style.columns < 20 ? 20 : style.columns);
  std::string result(first_indent, ' ');
  std::size_t used = first_indent;
  bool fresh = true;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    const std::size_t width = width_of(word);
    if (!fresh && used + 1 + width > columns) {
      result += '\n' + std::string(indent, ' ');
      used = indent;
      fresh = true;
    }
    if (!fresh) {
      result += ' ';
      ++used;
    }
    result += word;
    used += width;
    fresh = false;
  }
  return result;
}

std::string shell_word(std::string_view text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./=:,+@%").find(c) != std::string_view::npos;
  };
  if (!text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), plain)) return std::string(text);
  std::string out = !text.empty() && text.front() == '-' ? "'./" : "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace aegis
