// A table for the summary of a CI job or a comment, worst first. GitHub refuses a summary above 1 MiB, so the table
// ends below that and says how many rows are missing.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/document.hpp"
#include "cli/escape.hpp"
#include "cli/problem.hpp"
#include "cli/report.hpp"

using namespace aegis;

namespace {

constexpr std::size_t most_bytes = 1'000'000;

std::string row_of(const Problem& problem) {
  std::string what = markdown_text(problem.message);
  if (problem.finding) {
    for (const Json& advice : (*problem.finding)["advice"]) what += "<br>" + markdown_text(text_of(advice));
    if (const Json& fix = (*problem.finding)["fix"]; fix.is_object())
      what += fmt::format("<br>fix ({}): {}", markdown_text(text_of(fix["safety"])),
                          markdown_text(text_of(fix["request"])));
  }
  return fmt::format("| {} | {} | {} | {} | {} |\n", problem.severity, markdown_text(problem.title()),
                     markdown_text(printable(problem.path)), markdown_text(problem.place), what);
}

void write(const Json& document, const TextStyle&, std::ostream& out) {
  const std::vector<Problem> problems = problems_of(document);
  std::string text = fmt::format("### aegis {}: {}\n", document["command"].get_ref<const std::string&>(),
                                 totals_of(problems, paths_of(document).size()));
  std::size_t shown = 0, left_out = 0;
  for (const Problem& problem : problems) {
    if (problem.suppressed) continue;
    const std::string row = row_of(problem);
    if (left_out || text.size() + row.size() > most_bytes) {
      ++left_out;
      continue;
    }
    if (shown++ == 0) text += "\n| severity | rule | model | where | what |\n|---|---|---|---|---|\n";
    text += row;
  }
  if (left_out) text += fmt::format("\n{} more are left out; the format json has all of them\n", left_out);
  out << text;
}

}  // namespace

AEGIS_REPORT(markdown) = {.name = "markdown",
                          .summary = "a table for job summaries and comments",
                          .commands = problem_commands,
                          .write = write};
