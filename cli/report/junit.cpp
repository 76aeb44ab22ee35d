// JUnit XML as CI servers read it: a suite for each file, a test case for each problem. What fails the run is a
// failure; what does not, passes and says so in its output; a suppressed finding is skipped.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/escape.hpp"
#include "cli/problem.hpp"
#include "cli/report.hpp"

using namespace aegis;

namespace {

struct Suite {
  std::string path;
  std::vector<const Problem*> problems;
};

std::vector<Suite> suites_of(const Json& document, const std::vector<Problem>& problems) {
  std::vector<Suite> suites;
  std::map<std::string, std::size_t> at;
  const auto suite_at = [&](const std::string& path) -> Suite& {
    const auto [found, fresh] = at.emplace(path, suites.size());
    if (fresh) suites.push_back({path, {}});
    return suites[found->second];
  };
  for (const std::string& path : paths_of(document)) suite_at(path);
  for (const Problem& problem : problems) suite_at(problem.path).problems.push_back(&problem);
  return suites;
}

// A file that could not be used is an error of the test, a finding a failure.
bool is_error(const Problem& problem) { return problem.fails && !problem.finding && problem.rule.empty(); }

std::string attribute(std::string_view text) { return "\"" + xml_text(text) + "\""; }

void write_case(const Problem& problem, const std::string& path, std::ostream& out) {
  const std::string name =
      problem.place.empty() ? problem.title() : fmt::format("{}: {}", problem.title(), problem.place);
  out << fmt::format("    <testcase classname={} name={}", attribute(path), attribute(name));
  std::string body = problem.headline();
  for (const std::string& line : problem.more) body += '\n' + line;
  if (problem.suppressed)
    out << fmt::format(">\n      <skipped message={}/>\n",
                       attribute(printable((*problem.finding)["suppressed"]["reason"].get_ref<const std::string&>())));
  else if (problem.fails)
    out << fmt::format(">\n      <{0} type={1} message={2}>{3}</{0}>\n", is_error(problem) ? "error" : "failure",
                       attribute(problem.title()), attribute(problem.message), xml_text(body));
  else
    out << fmt::format(">\n      <system-out>{}: {}</system-out>\n", problem.severity, xml_text(body));
  out << "    </testcase>\n";
}

void write(const Json& document, const TextStyle&, std::ostream& out) {
  const std::vector<Problem> problems = problems_of(document);
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"aegis\">\n";
  for (const Suite& suite : suites_of(document, problems)) {
    std::size_t errors = 0, failures = 0, skipped = 0;
    for (const Problem* problem : suite.problems) {
      skipped += problem->suppressed;
      errors += is_error(*problem);
      failures += problem->fails && !is_error(*problem);
    }
    const std::string path = printable(suite.path);
    out << fmt::format("  <testsuite name={} tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
                       attribute(path), suite.problems.empty() ? 1 : suite.problems.size(), failures, errors, skipped);
    for (const Problem* problem : suite.problems) write_case(*problem, path, out);
    if (suite.problems.empty())  // servers show nothing of a suite without a test
      out << fmt::format("    <testcase classname={} name={}/>\n", attribute(path),
                         attribute(document["command"].get_ref<const std::string&>()));
    out << "  </testsuite>\n";
  }
  out << "</testsuites>\n";
}

}  // namespace

AEGIS_REPORT(junit) = {
    .name = "junit", .summary = "JUnit XML, for CI servers", .commands = problem_commands, .write = write};
