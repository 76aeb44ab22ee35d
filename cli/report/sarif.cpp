// SARIF 2.1.0 within the limits of code-scanning hosts: at most 25,000 results a run and 100 places a result, the worst
// results first. What is left out is counted in a notification.
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/escape.hpp"
#include "cli/problem.hpp"
#include "cli/report.hpp"
#include "linter/host_codes.hpp"
#include "linter/rules.hpp"

using namespace aegis;

namespace {

constexpr std::size_t most_results = 25'000;
constexpr std::size_t most_places = 100;

std::string_view level_of(std::string_view severity) {
  return severity == "error" ? "error" : severity == "warning" ? "warning" : "note";
}

Json text_json(std::string_view text) { return Json{{"text", text}}; }

// "unaligned_gemm_k" as SARIF names rules: "UnalignedGemmK".
std::string pascal_case(std::string_view name) {
  std::string result;
  bool upper = true;
  for (const char c : name) {
    if (c != '_') result += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = c == '_';
  }
  return result;
}

// The first sentence or line below the first heading of a rule's doc.
std::string summary_of(std::string_view doc) {
  while (doc.starts_with("#") || doc.starts_with("\n")) doc.remove_prefix(std::min(doc.find('\n'), doc.size() - 1) + 1);
  doc = doc.substr(0, doc.find("\n\n"));
  doc = doc.substr(0, doc.find("\n#"));
  std::string text(doc.substr(0, std::min(doc.find(". "), doc.size())));
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

// Every rule of the program, and after them the codes of this document that are none: of the loader, of packs, of
// budgets.
class RuleTable {
 public:
  RuleTable() {
    for (const Rule& rule : rules()) {
      Json& row = add(rule.code, rule.name, name(rule.severity));
      row["shortDescription"] = text_json(summary_of(rule.doc));
      row["help"] = Json{{"text", rule.doc}, {"markdown", rule.doc}};
      row["properties"] = Json{{"tags", Json::array({rule.family})}};
    }
  }

  std::size_t index_of(const Problem& problem) {
    const auto found = at_.find(problem.code);
    if (found != at_.end()) return found->second;
    const HostCode* host = find_host_code(problem.code);
    Json& row = add(problem.code, host ? host->name : problem.rule, host ? host->severity : problem.severity);
    if (host) {
      row["shortDescription"] = text_json(host->trigger);
      row["help"] = text_json(host->advice);
      row["properties"] = Json{{"tags", Json::array({host->family})}};
    }
    return rows_.size() - 1;
  }
  Json take() { return std::move(rows_); }

 private:
  Json& add(const std::string& code, std::string_view rule, std::string_view severity) {
    at_.emplace(code, rows_.size());
    Json row{{"id", code}};
    if (!rule.empty()) row["name"] = pascal_case(rule);
    row["defaultConfiguration"] = Json{{"level", level_of(severity)}};
    rows_.push_back(std::move(row));
    return rows_.back();
  }

  Json rows_ = Json::array();
  std::map<std::string, std::size_t> at_;
};

Json logical_location(const Json& place, const Json& op) {
  const std::string scope = place.value("scope", "/");
  const Json& node = place["node"].is_string() || !place.contains("value") ? place["node"] : place["value"];
  if (!node.is_string()) return Json{{"fullyQualifiedName", printable(scope)}, {"kind", "module"}};
  Json location{
      {"name", printable(node.get_ref<const std::string&>())},
      {"fullyQualifiedName", printable(scope == "/" ? node.get<std::string>() : scope + ":" + node.get<std::string>())},
      {"kind", "element"}};
  if (op.is_string()) location["properties"] = Json{{"op", printable(op.get_ref<const std::string&>())}};
  return location;
}

Json location_json(const Problem& problem) {
  Json location{{"physicalLocation", Json{{"artifactLocation", Json{{"uri", uri_of_path(problem.path)}}},
                                          {"region", Json{{"startLine", std::stoll(problem.line)}}}}}};
  if (!problem.finding) return location;
  const Json& finding = *problem.finding;
  Json& places = location["logicalLocations"] = Json::array();
  for (const Json& member : finding["members"])
    if (places.size() < most_places) places.push_back(logical_location(member, finding["op"]));
  if (places.empty()) places.push_back(logical_location(finding, finding["op"]));
  return location;
}

void add_finding(const Json& finding, Json& result) {
  if (finding["fingerprint"].is_string())
    result["partialFingerprints"] = Json{{"aegisStructure/v1", finding["fingerprint"]}};
  if (const Json& source = finding["source"]; source.is_object())
    result["relatedLocations"] = Json::array({Json{
        {"physicalLocation", Json{{"artifactLocation", Json{{"uri", uri_of_path(source["file"].get<std::string>())}}},
                                  {"region", Json{{"startLine", std::max(1, source["line"].get<int>())}}}}},
        {"message", text_json("where the exporter met this layer")}}});
  if (const Json& suppressed = finding["suppressed"]; suppressed.is_object())
    result["suppressions"] = Json::array({Json{
        {"kind", suppressed["by"].get_ref<const std::string&>().starts_with("metadata") ? "inSource" : "external"},
        {"status", "accepted"},
        {"justification", printable(suppressed["reason"].get_ref<const std::string&>())}}});
  Json& properties = result["properties"] = Json::object();
  for (const char* key : {"evidence", "gain", "targets", "as", "certainty", "fix"})
    if (!finding[key].empty()) properties[key] = finding[key];
  properties["members"] = finding["members"].size();
}

Json result_json(const Problem& problem, std::size_t rule_index) {
  std::string message = problem.headline();
  for (const std::string& line : problem.more) message += '\n' + line;
  Json result{{"ruleId", problem.code},
              {"ruleIndex", rule_index},
              {"level", level_of(problem.severity)},
              {"message", text_json(message)},
              {"locations", Json::array({location_json(problem)})}};
  if (problem.finding) add_finding(*problem.finding, result);
  return result;
}

Json invocation_json(const Json& document, std::size_t left_out) {
  const int exit = document["exit_code"].get<int>();
  Json invocation{{"exitCode", exit}, {"executionSuccessful", exit != static_cast<int>(Exit::internal)}};
  if (left_out)
    invocation["toolExecutionNotifications"] = Json::array(
        {Json{{"level", "warning"},
              {"message", text_json(fmt::format("{} results of lower severity are left out: a run holds {}; --format "
                                                "json has all of them",
                                                left_out, most_results))}}});
  return invocation;
}

void write(const Json& document, const TextStyle&, std::ostream& out) {
  RuleTable table;
  Json results = Json::array();
  const std::vector<Problem> problems = problems_of(document);
  for (const Problem& problem : problems) {
    if (results.size() == most_results) break;
    results.push_back(result_json(problem, table.index_of(problem)));
  }
  const std::size_t left_out = problems.size() - results.size();
  Json run{
      {"tool",
       Json{{"driver",
             Json{{"name", "aegis"}, {"semanticVersion", document["aegis"]["version"]}, {"rules", table.take()}}}}},
      {"invocations", Json::array({invocation_json(document, left_out)})},
      {"columnKind", "unicodeCodePoints"},
      {"results", std::move(results)}};
  const Json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", Json::array({std::move(run)})}};
  out << json_text(log, 1) << '\n';
}

}  // namespace

AEGIS_REPORT(sarif) = {
    .name = "sarif", .summary = "SARIF 2.1.0, for code scanning", .commands = problem_commands, .write = write};
