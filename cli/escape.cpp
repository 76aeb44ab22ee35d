#include "cli/escape.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

#include "cli/utf8.hpp"

namespace aegis {
namespace {

// Characters that move text or the cursor, that cannot be seen, or that pass for a space.
bool deceptive(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point <= 0xa0) || point == 0xad || point == 0x61c || point == 0x1680 ||
         point == 0x180e || (point >= 0x2000 && point <= 0x200f) || (point >= 0x2028 && point <= 0x202f) ||
         (point >= 0x205f && point <= 0x206f) || point == 0x3000 || point == 0xfeff ||
         (point >= 0xfff9 && point <= 0xfffb) || (point & 0xfffe) == 0xfffe || (point >= 0xfdd0 && point <= 0xfdef) ||
         (point >= 0xe0000 && point <= 0xe0fff);
}

std::string visible(std::uint32_t point) {
  switch (point) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
  }
  if (point < 0x100) return fmt::format("\\x{:02x}", point);
  return point < 0x10000 ? fmt::format("\\u{:04x}", point) : fmt::format("\\U{:08x}", point);
}

// Replaces single characters; `of` gives the replacement, or an empty text for those that stay.
template <typename Of>
std::string replaced(std::string_view text, Of of) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string by = of(i);
    if (by.empty())
      result += text[i];
    else
      result += by;
  }
  return result;
}

std::string percent(char c) { return fmt::format("%{:02X}", static_cast<unsigned char>(c)); }

bool contains(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

bool letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// "##vso[", "##teamcity[", "##[": some logs look for them anywhere in a line.
bool starts_log_command(std::string_view text) {
  return text.starts_with("##") && text.size() > 2 && (letter_or_digit(text[2]) || text[2] == '[');
}

}  // namespace

std::string printable(std::string_view text, std::size_t limit) {
  std::string result;
  const bool cut = text.size() > limit;
  if (cut) text = text.substr(0, limit);
  while (!text.empty()) {
    const CodePoint next = first_code_point(text);
    if (next.length == 0) {
      if (cut && text.size() < 4 && static_cast<unsigned char>(text[0]) >= 0xc2) break;  // the cut went through it
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
      continue;
    }
    // A log takes "::" for a command at the start of a line, after spaces too; text is broken into lines at spaces.
    const bool line_command = text.starts_with("::") && (result.empty() || result.back() == ' ');
    const bool command = line_command || starts_log_command(text);
    result += command || deceptive(next.value) ? visible(next.value) : std::string(text.substr(0, next.length));
    text.remove_prefix(next.length);
  }
  return cut ? result + "..." : result;
}

std::string github_message(std::string_view text) {
  return replaced(text, [&](std::size_t i) { return contains("%\r\n", text[i]) ? percent(text[i]) : std::string(); });
}

std::string github_property(std::string_view text) {
  return replaced(text, [&](std::size_t i) { return contains("%\r\n:,", text[i]) ? percent(text[i]) : std::string(); });
}

std::string xml_text(std::string_view text) {
  return replaced(text, [&](std::size_t i) -> std::string {
    switch (text[i]) {
      case '&': return "&amp;";
      case '<': return "&lt;";
      case '>': return "&gt;";
      case '"': return "&quot;";
      case '\'': return "&apos;";
      default: return "";
    }
  });
}

std::string markdown_text(std::string_view text) {
  return replaced(text, [&](std::size_t i) -> std::string {
    const char c = text[i];
    const char before = i > 0 ? text[i - 1] : ' ', after = i + 1 < text.size() ? text[i + 1] : ' ';
    if (c == '\n') return "<br>";
    if (c == '@') return "&#64;";  // no mention, no mail address
    if (contains("\\`*[]<>|!~&$", c)) return std::string("\\") + c;
    // A underscore inside a word is no emphasis, and names are full of them.
    if (c == '_' && !(letter_or_digit(before) && letter_or_digit(after))) return "\\_";
    if (contains("#+-=", c) && i == 0) return std::string("\\") + c;
    if (c == ':' && after == '/') return "&#58;";                      // http://
    if (c == '.' && (before == 'w' || before == 'W')) return "&#46;";  // www.
    return "";
  });
}

std::string uri_of_path(std::string_view path) {
  const bool absolute = path.starts_with('/');
  while (path.starts_with("./")) path.remove_prefix(2);
  const std::string encoded = replaced(path, [&](std::size_t i) {
    return letter_or_digit(path[i]) || contains("-._~/", path[i]) ? std::string() : percent(path[i]);
  });
  return absolute ? "file://" + encoded : encoded;
}

std::string json_text(const nlohmann::ordered_json& value, int indent) {
  std::string text = value.dump(indent, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find("##", at)) != std::string::npos; ++at)
    if (starts_log_command(std::string_view(text).substr(at))) text.replace(at, 1, "\\u0023");  // inside of a text
  return text;
}

}  // namespace aegis
