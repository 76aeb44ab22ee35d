// Text of a model on its way out. Every character of a name, a path or a message may come from a hostile file; each
// target form has one function here that makes such text inert, and no format escapes by itself.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace aegis {

// For terminals and build logs. What either would act on becomes visible: control characters (line breaks too), DEL,
// C1, bidirectional, zero-width and odd space characters, noncharacters and invalid UTF-8 as \n, \x1b, \u202e; so do
// "::" where a line of a log could start with it, and "##" of "##vso[" and "##teamcity[". The result is one line of
// valid UTF-8. At most `limit` bytes of input are shown, then "...".
std::string printable(std::string_view text, std::size_t limit = 4096);

// The rest take text that is printable, of one or more lines.

// The message of a workflow command of GitHub, and a value among its properties.
std::string github_message(std::string_view text);
std::string github_property(std::string_view text);
// Character data and attribute values of XML 1.0.
std::string xml_text(std::string_view text);
// Inline text of Markdown, inside tables too: no markup, no HTML, no link, no mention.
std::string markdown_text(std::string_view text);

// The URI reference of a path, whatever its bytes: relative, or file:/// of an absolute path.
std::string uri_of_path(std::string_view path);

// JSON in ASCII: invalid UTF-8 is replaced, control and bidirectional characters leave as escapes, and no log takes
// "##vso[" out of it. indent below 0: one line.
std::string json_text(const nlohmann::ordered_json& value, int indent);

}  // namespace aegis
