#include "cli/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>

#include "cli/document.hpp"
#include "cli/finding_text.hpp"
#include "cli/units.hpp"

namespace aegis {
namespace {

constexpr std::array<std::string_view, 3> severities = {"error", "warning", "info"};

std::size_t rank(std::string_view severity) {
  return static_cast<std::size_t>(std::find(severities.begin(), severities.end(), severity) - severities.begin());
}

// "aegis.toml:12" points at a line.
void point_at(Problem& problem, const std::string& origin) {
  const std::size_t colon = origin.rfind(':');
  const bool line = colon != std::string::npos && colon > 0 && colon + 1 < origin.size() &&
                    origin.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  problem.path = line ? origin.substr(0, colon) : origin;
  if (line) problem.line = origin.substr(colon + 1);
}

class Collector {
 public:
  explicit Collector(std::string_view fail_on) : gate_(rank(fail_on)), gated_(fail_on != "never") {}

  void error(const std::string& path, const Json& error) {
    Problem problem = at(path, "error");
    problem.code = text_of(error["code"], "error");
    problem.message = text_of(error["message"]);
    problem.fails = true;
    list_.push_back(std::move(problem));
  }

  // The lines of the text report without its first, at a width at which nothing is wrapped.
  void finding(const std::string& path, const Json& finding) {
    Problem problem = at(path, finding["severity"].get<std::string>());
    problem.code = text_of(finding["code"]);
    problem.rule = text_of(finding["rule"]);
    problem.place = finding_place(finding);
    problem.suppressed = !finding["suppressed"].is_null();
    problem.fails = gated_ && !problem.suppressed && rank(problem.severity) <= gate_;
    problem.finding = &finding;
    std::stringstream text;
    finding_details(path, finding, TextStyle{.columns = 1 << 20, .colour = false}, text);
    std::getline(text, problem.message);
    problem.message.erase(0, problem.message.find_first_not_of(' '));
    for (std::string line; std::getline(text, line);)
      problem.more.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
    list_.push_back(std::move(problem));
  }

  void validation(const std::string& path, const Json& validation) {
    const std::string verdict = text_of(validation["verdict"]);
    if (verdict == "pass") return;
    Problem problem = at(path, verdict == "warn" ? "warning" : "error");
    problem.code = "validation";
    problem.rule = verdict;
    problem.message = text_of(validation["detail"], "the two models do not agree as they should");
    for (const Json& output : validation["accuracy"]["outputs"])
      if (text_of(output["verdict"]) != "pass")
        problem.more.push_back(fmt::format("{}: {}{}", text_of(output["name"]), text_of(output["verdict"]),
                                           output["reason"].is_string() ? ", " + text_of(output["reason"]) : ""));
    problem.fails = verdict != "warn";
    list_.push_back(std::move(problem));
  }

  void budget(const Json& budget) {
    if (budget["ok"] != false) return;
    Problem problem = at("aegis.toml", "error");
    problem.code = "budget";
    problem.rule = text_of(budget["name"]);
    problem.message =
        fmt::format("{} is {}, the budget is {}", problem.rule, short_number(budget["actual"].get<double>()),
                    short_number(budget["limit"].get<double>()));
    problem.fails = true;
    list_.push_back(std::move(problem));
  }

  void stale(const Json& stale) {
    Problem problem = at("", "info");
    point_at(problem, stale["origin"].get<std::string>());
    problem.code = "suppression";
    problem.rule = stale["expired"].get<bool>() ? "expired" : "unused";
    problem.message = fmt::format("the suppression of {} at {} {}", text_of(stale["rule"]), text_of(stale["node"]),
                                  stale["expired"].get<bool>() ? "has expired" : "matches nothing");
    list_.push_back(std::move(problem));
  }

  std::vector<Problem> take() {
    std::stable_sort(list_.begin(), list_.end(),
                     [](const Problem& a, const Problem& b) { return rank(a.severity) < rank(b.severity); });
    return std::move(list_);
  }

 private:
  static Problem at(const std::string& path, std::string severity) {
    Problem problem;
    problem.path = path;
    problem.line = "1";
    problem.severity = std::move(severity);
    return problem;
  }

  std::vector<Problem> list_;
  std::size_t gate_;
  bool gated_;
};

}  // namespace

std::string Problem::title() const { return rule.empty() ? code : fmt::format("{} {}", code, rule); }

std::string Problem::headline() const { return place.empty() ? message : fmt::format("{}: {}", place, message); }

// What a document has an entry for each of: models of most verbs, files of `config verify`.
static std::span<const Json> entries_of(const Json& document) {
  for (const char* key : {"models", "files"})
    if (auto found = document.find(key); found != document.end()) return found->get_ref<const Json::array_t&>();
  return {};
}

std::vector<Problem> problems_of(const Json& document) {
  const auto summary = document.find("summary");
  const bool lint = summary != document.end();
  Collector collector(lint ? summary->value("fail_on", "error") : "error");
  for (const Json& entry : entries_of(document)) {
    const std::string path = entry["path"];
    if (entry["error"].is_object()) collector.error(path, entry["error"]);
    if (auto found = entry.find("findings"); found != entry.end())
      for (const Json& finding : *found) collector.finding(path, finding);
    if (auto found = entry.find("validation"); found != entry.end() && found->is_object())
      collector.validation(path, *found);
  }
  if (document.contains("verdict") && document["command"] == "validate")
    collector.validation(document["after"], document);
  if (lint) {
    for (const Json& budget : (*summary)["budgets"]) collector.budget(budget);
    for (const Json& stale : (*summary)["stale_suppressions"]) collector.stale(stale);
  }
  return collector.take();
}

std::vector<std::string> paths_of(const Json& document) {
  std::vector<std::string> paths;
  for (const Json& entry : entries_of(document)) paths.push_back(entry["path"]);
  if (document["command"] == "validate") paths.push_back(document["after"]);
  return paths;
}

std::string totals_of(const std::vector<Problem>& problems, std::size_t files) {
  std::array<std::size_t, severities.size()> counts{};
  std::size_t suppressed = 0;
  for (const Problem& problem : problems) ++(problem.suppressed ? suppressed : counts[rank(problem.severity)]);
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i)
    text += fmt::format("{}{} {}{}", i ? ", " : "", counts[i], severities[i], counts[i] == 1 ? "" : "s");
  text += fmt::format(" in {} file{}", files, files == 1 ? "" : "s");
  return suppressed ? fmt::format("{}, {} suppressed", text, suppressed) : text;
}

}  // namespace aegis
