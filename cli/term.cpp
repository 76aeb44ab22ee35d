#include "cli/term.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <cstdint>

namespace aegis {
namespace {

struct Decoded {
  std::uint32_t point = 0;
  std::size_t length = 0;  // 0: not UTF-8
};

// One code point by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (length == 0 || lead > 0xf4 || text.size() < length) return {};
  std::uint32_t point = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    point = (point << 6) | (byte(i) & 0x3fu);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (point < least[length] || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return {};
  return {point, length};
}

// Characters that move text or the cursor, or that cannot be seen.
bool deceptive(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point <= 0x9f) || point == 0xad || (point >= 0x200b && point <= 0x200f) ||
         (point >= 0x2028 && point <= 0x202e) || (point >= 0x2060 && point <= 0x206f) || point == 0x61c ||
         point == 0xfeff || (point >= 0xfff9 && point <= 0xfffb) || (point >= 0xe0000 && point <= 0xe0fff);
}

std::string escaped(std::uint32_t point) {
  switch (point) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
  }
  if (point < 0x100) return fmt::format("\\x{:02x}", point);
  return point < 0x10000 ? fmt::format("\\u{:04x}", point) : fmt::format("\\U{:08x}", point);
}

}  // namespace

std::string printable(std::string_view text, std::size_t limit) {
  std::string result;
  const bool cut = text.size() > limit;
  if (cut) text = text.substr(0, limit);
  while (!text.empty()) {
    const Decoded next = decode(text);
    if (next.length == 0) {
      if (cut && text.size() < 4 && static_cast<unsigned char>(text[0]) >= 0xc2) break;  // the cut went through it
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
    } else {
      result += deceptive(next.point) ? escaped(next.point) : std::string(text.substr(0, next.length));
      text.remove_prefix(next.length);
    }
  }
  return cut ? result + "..." : result;
}

std::string line_safe(std::string_view text, std::size_t limit) {
  std::string result = printable(text, limit);
  if (result.starts_with("::") || result.starts_with("##")) result = "\\" + result;
  return result;
}

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
    const std::size_t length = decode(text).length;
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
