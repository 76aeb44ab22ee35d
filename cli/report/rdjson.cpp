// Reviewdog's diagnostic format: comments on a review, by any host that reviewdog speaks to.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/escape.hpp"
#include "cli/problem.hpp"
#include "cli/report.hpp"

using namespace aegis;

namespace {

std::string_view severity_of(std::string_view severity) {
  return severity == "error" ? "ERROR" : severity == "warning" ? "WARNING" : "INFO";
}

void write(const Json& document, const TextStyle&, std::ostream& out) {
  Json list = Json::array();
  for (const Problem& problem : problems_of(document)) {
    if (problem.suppressed) continue;
    std::string message = markdown_text(problem.headline());  // hosts show it as Markdown
    for (const std::string& line : problem.more) message += "\n\n" + markdown_text(line);
    list.push_back(Json{{"message", message},
                        {"location", Json{{"path", printable(problem.path)},
                                          {"range", Json{{"start", Json{{"line", std::stoll(problem.line)}}}}}}},
                        {"severity", severity_of(problem.severity)},
                        {"code", Json{{"value", problem.title()}}}});
  }
  out << json_text(Json{{"source", Json{{"name", "aegis"}}}, {"diagnostics", std::move(list)}}, 1) << '\n';
}

}  // namespace

AEGIS_REPORT(rdjson) = {
    .name = "rdjson", .summary = "diagnostics for reviewdog", .commands = problem_commands, .write = write};
