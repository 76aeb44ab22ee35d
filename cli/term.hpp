// Text for people: colour, width, and names that cannot harm a terminal or a build log.
#pragma once

#include <string>
#include <string_view>

namespace aegis {

struct TextStyle {
  int columns = 80;
  bool colour = false;
};

// Model text with everything that a terminal or a log would act on made visible: control characters (a line break
// too), DEL, C1, bidirectional and zero-width characters, invalid UTF-8 become \n, \x1b, \u202e. At most `limit`
// bytes of input are shown, then "...".
std::string printable(std::string_view text, std::size_t limit = 4096);

// The same, and it may stand at the start of a line: "::error::" and "##vso[" are no commands in it.
std::string line_safe(std::string_view text, std::size_t limit = 4096);

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
