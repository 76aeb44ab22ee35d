// Workflow commands of GitHub Actions: annotations beside the changed files. A step shows ten of each kind, so the
// worst ones are annotated and the others follow as plain lines of the log.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/escape.hpp"
#include "cli/problem.hpp"
#include "cli/report.hpp"

using namespace aegis;

namespace {

constexpr int annotations_of_a_kind = 10;
constexpr std::size_t longest_title = 200;

std::string_view command_of(std::string_view severity) {
  return severity == "error" ? "error" : severity == "warning" ? "warning" : "notice";
}

void annotate(const Problem& problem, std::ostream& out) {
  std::string message = problem.headline();
  for (const std::string& line : problem.more) message += '\n' + line;
  out << fmt::format("::{} file={},line={},title={}::{}\n", command_of(problem.severity),
                     github_property(printable(problem.path)), problem.line,
                     github_property(printable(problem.title(), longest_title)), github_message(message));
}

void write(const Json& document, const TextStyle&, std::ostream& out) {
  const std::vector<Problem> problems = problems_of(document);
  std::map<std::string, int> shown;
  std::size_t left_out = 0;
  for (const Problem& problem : problems) {
    if (problem.suppressed) continue;
    if (shown[problem.severity]++ < annotations_of_a_kind) {
      annotate(problem, out);
      continue;
    }
    ++left_out;
    out << fmt::format("{} {} {}: {}\n", problem.severity, problem.title(), printable(problem.path),
                       problem.headline());
  }
  out << totals_of(problems, paths_of(document).size());
  if (left_out)
    out << fmt::format("; {} not annotated (GitHub shows {} of a kind), add --format markdown=\"$GITHUB_STEP_SUMMARY\"",
                       left_out, annotations_of_a_kind);
  out << '\n';
}

}  // namespace

AEGIS_REPORT(github) = {
    .name = "github", .summary = "annotations of GitHub Actions", .commands = problem_commands, .write = write};
