// Text for people: colour and width.
#pragma once

#include <string>
#include <string_view>

#include "cli/escape.hpp"

namespace aegis {

struct TextStyle {
  int columns = 80;
  bool colour = false;
};

// A word of a command line that can be pasted into a shell: quoted where the shell would read more into it.
std::string shell_word(std::string_view text);

enum class Paint { bold, dim, red, yellow, cyan, green };
std::string paint(const TextStyle& style, Paint paint, std::string_view text);

// Columns that UTF-8 text takes, combining marks and East Asian width aside.
std::size_t width_of(std::string_view text);

// Breaks at spaces so that no line is wider than style.columns; later lines start with `indent` spaces. A word that
// is too long stays whole.
std::string wrap(const TextStyle& style, std::string_view text, std::size_t first_indent, std::size_t indent);

}  // namespace aegis
