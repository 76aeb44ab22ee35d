// The report for people: each verb brings its own text form.
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/escape.hpp"
#include "cli/report.hpp"

using namespace aegis;

namespace {

void write(const Json& document, const TextStyle& style, std::ostream& out) {
  const Command* command = find_command(document.at("command").get_ref<const std::string&>());
  if (command && command->text)
    command->text(document, style, out);
  else
    out << json_text(document, 1) << '\n';
}

}  // namespace

AEGIS_REPORT(text) = {.name = "text", .summary = "for people", .write = write};
