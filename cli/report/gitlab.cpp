// The code quality report of GitLab: a list of places, each with a fingerprint of its own, worst first.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/escape.hpp"
#include "cli/problem.hpp"
#include "cli/report.hpp"

using namespace aegis;

namespace {

std::string_view severity_of(const Problem& problem) {
  if (problem.severity == "error") return problem.finding ? "major" : "critical";
  return problem.severity == "warning" ? "minor" : "info";
}

// Structural where the finding has a fingerprint, so that renaming or re-exporting a model opens no old finding again;
// GitLab drops entries of equal fingerprints, so equal ones in a file are counted.
std::string fingerprint_of(const Problem& problem, std::map<std::string, int>& seen) {
  std::string print = fmt::format("{}#{}", uri_of_path(problem.path), problem.code);
  if (problem.finding && (*problem.finding)["fingerprint"].is_string())
    print += "/" + (*problem.finding)["fingerprint"].get<std::string>();
  else
    print += "/" + problem.message;
  const int times = seen[print]++;
  return times == 0 ? print : fmt::format("{}/{}", print, times);
}

void write(const Json& document, const TextStyle&, std::ostream& out) {
  Json list = Json::array();
  std::map<std::string, int> seen;
  for (const Problem& problem : problems_of(document)) {
    if (problem.suppressed) continue;
    std::string body = markdown_text(problem.headline());
    for (const std::string& line : problem.more) body += "\n\n" + markdown_text(line);
    list.push_back(Json{
        {"description", fmt::format("{}: {}", problem.title(), problem.headline())},
        {"check_name", problem.code},
        {"content", Json{{"body", body}}},
        {"fingerprint", fingerprint_of(problem, seen)},
        {"severity", severity_of(problem)},
        {"location", Json{{"path", printable(problem.path)}, {"lines", Json{{"begin", std::stoll(problem.line)}}}}}});
  }
  out << json_text(list, 1) << '\n';
}

}  // namespace

AEGIS_REPORT(gitlab) = {
    .name = "gitlab", .summary = "code quality report of GitLab", .commands = problem_commands, .write = write};
