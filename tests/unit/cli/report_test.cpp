// Every report format of the table, with every verb that it serves: text of a hostile model does nothing in any of
// them, the exit code is the same, and the limits of code hosts are kept. A new format is tested by being in the table.
#include "cli/report.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "cli/escape.hpp"
#include "cli/option.hpp"
#include "cli/term.hpp"
#include "cli/utf8.hpp"
#include "models.hpp"
#include "run.hpp"

using namespace aegis;
using test::Folder;
using test::run_aegis;

namespace {

// What names can hold that some reader of a report would act on.
const std::vector<std::string> hostile_names = {
    "::error::pwned",
    "x ::set-output name=a::b",
    "\xc2\xa0::warning file=a::b",
    "##vso[task.setvariable variable=a]b",
    "a ###[group]b",
    "##teamcity[buildStatus]",
    "%0A::error::x,title=y",
    "line\n::error::x\r\n::debug::y",
    "\x1b[2J\x1b]8;;http://evil\x07link",
    "\xe2\x80\xae"
    "reversed\xe2\x81\xa6",
    "zero\xe2\x80\x8bwidth\xef\xbb\xbf",
    "line\xe2\x80\xa8separator\xc2\x85next",
    "\xc2\x9b"
    "31m\x7f",
    "bad\xff\xc0\x80utf8",
    "non\xef\xbf\xbe\xef\xbf\xbf",
    "</script><img src=x onerror=alert(1)>",
    "]]></failure>&amp;'",
    "=cmd()|calc",
    "| a | `b` [c](javascript:d) **e** @team https://evil www.evil",
    "../../etc/passwd",
};

bool serves(const ReportFormat& format, std::string_view verb) {
  const auto verbs = split_list(format.commands);
  return verbs.empty() || std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

// The first thing in the report that a terminal or a build log would act on; empty: nothing.
std::string danger(std::string_view report, bool workflow_commands) {
  std::string_view rest = report;
  while (!rest.empty()) {
    const CodePoint point = first_code_point(rest);
    if (point.length == 0) return "invalid UTF-8";
    const std::uint32_t c = point.value;
    if ((c < 0x20 && c != '\n') || (c >= 0x7f && c < 0xa0) || (c >= 0x200b && c <= 0x200f) ||
        (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x2069) || c == 0xfeff || (c & 0xfffe) == 0xfffe)
      return "character " + std::to_string(c);
    rest.remove_prefix(point.length);
  }
  if (std::regex_search(std::string(report), std::regex("##[A-Za-z]*\\["))) return "a command with ##";
  const std::regex own("::(error|warning|notice) file=[^:,]*,line=[0-9]+,title=[^:,]*::.*");
  std::istringstream lines{std::string(report)};
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with("::") && !(workflow_commands && std::regex_match(line, own))) return "a command: " + line;
  }
  return "";
}

// JSON when it looks like JSON, and then it must be.
void check_json(const std::string& name, const std::string& report) {
  if (report.empty() || (report[0] != '{' && report[0] != '[')) return;
  if (name != "jsonl") {
    CHECK(nlohmann::json::accept(report));
    return;
  }
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) CHECK(nlohmann::json::accept(line));
}

// A document of one lint, with its first finding `times` times.
Json many_findings(std::size_t times) {
  Folder folder;
  const std::string model = folder.write("mlp.onnxtxt", test::mlp());
  Json document = Json::parse(run_aegis({"lint", model, "--as", "bf16", "--preview", "--format", "json"}).out);
  Json& findings = document["models"][0]["findings"];
  const Json one = findings.at(0);
  findings = Json::array();
  for (std::size_t i = 0; i < times; ++i) {
    findings.push_back(one);
    findings.back()["severity"] = i % 3 == 0 ? "info" : i % 3 == 1 ? "warning" : "error";
  }
  return document;
}

std::string written(std::string_view format, const Json& document) {
  std::ostringstream out;
  find_report_format(format)->write(document, TextStyle{}, out);
  return out.str();
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++times;
  return times;
}

}  // namespace

TEST_CASE("text of a hostile model does nothing in any format, of any verb, and the exit code stays") {
  for (const std::string& name : hostile_names) {
    Folder folder;
    std::string text = test::mlp();
    text.replace(text.find("[fc1]"), 5, "[\"" + name + "\"]");
    std::string file = name;
    for (char& c : file)
      if (c == '/') c = '_';
    const std::string model = folder.write(file + ".onnxtxt", text);
    const std::string config = folder.write("bad.toml", "\"" + printable(name) + "\" = 1\n");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"lint", model, "--as", "bf16", "--preview", "--fail-on", "info"},
          {"lint", folder.write(file + ".onnx", name)},
          {"rewrite", model, "--pad=always", "--dry-run", "--diff"},
          {"validate", model, model},
          {"inspect", model},
          {"config verify", config}}) {
      std::vector<std::string> all = {words[0]};
      if (words[0] == "config verify") all = {"config", "verify"};
      all.insert(all.end(), words.begin() + 1, words.end());
      const Exit expected = run_aegis(all).exit;
      std::vector<const ReportFormat*> formats;
      for (const ReportFormat* format : report_formats())
        if (serves(*format, words[0])) formats.push_back(format);
      for (const ReportFormat* format : formats)
        all.insert(all.end(), {"--format", std::string(format->name) + "=" + folder.file(std::string(format->name))});
      const auto ran = run_aegis(all);
      CHECK(ran.exit == expected);
      CHECK(danger(ran.err, false) == "");
      for (const ReportFormat* format : formats) {
        const std::string report = folder.read(std::string(format->name));
        INFO(words[0] << " as " << format->name << ":\n" << printable(report, 100000));
        CHECK(!report.empty());
        CHECK(danger(report, format->name == "github") == "");
        check_json(std::string(format->name), report);
      }
    }
  }
}

TEST_CASE("a format that cannot show a verb's document says which verbs it serves") {
  for (const ReportFormat* format : report_formats()) {
    if (serves(*format, "rules")) continue;
    const auto ran = run_aegis({"rules", "--format", std::string(format->name)});
    INFO(format->name);
    CHECK(ran.exit == Exit::usage);
    CHECK(ran.out.empty());
    CHECK(ran.err.find(std::string(format->commands)) != std::string::npos);
  }
}

TEST_CASE("every format names verbs that exist") {
  for (const ReportFormat* format : report_formats())
    for (const std::string& verb : split_list(format->commands)) CHECK(find_command(verb) != nullptr);
}

TEST_CASE("github: ten annotations of a kind, the worst first, the others as lines of the log") {
  const std::string report = written("github", many_findings(10'000));
  CHECK(count(report, "\n::warning ") == 10);
  CHECK(count("\n" + report, "\n::error ") == 10);
  CHECK(count(report, "\n::notice ") == 10);
  CHECK(report.starts_with("::error "));
  CHECK(count(report, "\n") == 10'001);
  CHECK(report.find("9970 not annotated") != std::string::npos);
}

TEST_CASE("markdown: below the size that GitHub takes for a summary, and the rest counted") {
  const std::string report = written("markdown", many_findings(10'000));
  CHECK(report.size() < 1'048'576);
  const std::size_t rows = count(report, "\n| error |") + count(report, "\n| warning |") + count(report, "\n| info |");
  CHECK(rows > 1000);
  CHECK(report.find("\n" + std::to_string(10'000 - rows) + " more are left out") != std::string::npos);
}

TEST_CASE("markdown: no markup comes out of a name") {
  for (const std::string& name : hostile_names) {
    const std::string text = markdown_text(printable(name));
    INFO(text);
    CHECK(!std::regex_search(text, std::regex("(^|[^\\\\])[<>|`*\\[\\]]")));
    CHECK(text.find("://") == std::string::npos);
    CHECK(text.find('@') == std::string::npos);
  }
  CHECK(markdown_text("/encoder/layer_3/MatMul_1") == "/encoder/layer_3/MatMul_1");
  CHECK(markdown_text("__init__") == "\\_\\_init\\_\\_");
}

TEST_CASE("gitlab: every entry has a fingerprint of its own") {
  const auto list = nlohmann::json::parse(written("gitlab", many_findings(10'000)));
  REQUIRE(list.size() == 10'000);
  std::set<std::string> prints;
  for (const auto& entry : list) prints.insert(entry["fingerprint"].get<std::string>());
  CHECK(prints.size() == 10'000);
}

TEST_CASE("jsonl: its lines joined are the document") {
  const Json document = many_findings(5);
  std::istringstream lines(written("jsonl", document));
  Json joined;
  for (std::string text; std::getline(lines, text);) {
    Json line = Json::parse(text);
    const std::string type = line["type"];
    line.erase("type");
    if (type == "model") {
      line["findings"] = Json::array();
      joined["models"].push_back(line);
    } else if (type == "finding") {
      CHECK(line["path"] == joined["models"].back()["path"]);
      line.erase("path");
      joined["models"].back()["findings"].push_back(line);
    } else {
      joined.update(line);
    }
  }
  CHECK(nlohmann::json(joined) == nlohmann::json(document));
}

TEST_CASE("sarif: 25,000 results, the worst ones, and the others counted") {
  const auto log = nlohmann::json::parse(written("sarif", many_findings(30'000)));
  const auto& run = log["runs"][0];
  REQUIRE(run["results"].size() == 25'000);
  CHECK(run["results"][0]["level"] == "error");
  CHECK(run["results"][24'999]["level"] == "note");
  CHECK(std::count_if(run["results"].begin(), run["results"].end(),
                      [](const auto& r) { return r["level"] == "note"; }) == 5'000);
  CHECK(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"].get<std::string>().starts_with(
      "5000 results"));
  for (const auto& result : run["results"])
    if (run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"] != result["ruleId"]) FAIL("index");
}

TEST_CASE("sarif: at most a hundred places a result") {
  Json document = many_findings(1);
  Json& members = document["models"][0]["findings"][0]["members"];
  for (int i = 0; i < 500; ++i) members.push_back(Json{{"scope", "/"}, {"node", "n" + std::to_string(i)}});
  const auto log = nlohmann::json::parse(written("sarif", document));
  CHECK(log["runs"][0]["results"][0]["locations"][0]["logicalLocations"].size() == 100);
}

TEST_CASE("junit: what fails the run is a failure, what does not is none") {
  const Json document = many_findings(9);  // three of each severity
  for (const auto& [gate, failures] : {std::pair{"error", 3}, {"warning", 6}, {"info", 9}, {"never", 0}}) {
    Json gated = document;
    gated["summary"]["fail_on"] = gate;
    const std::string report = written("junit", gated);
    CHECK(count(report, "<failure ") == static_cast<std::size_t>(failures));
    CHECK(report.find("failures=\"" + std::to_string(failures) + "\"") != std::string::npos);
    CHECK(count(report, "<testcase ") == 9);
  }
}

TEST_CASE("a path becomes a URI, whatever its bytes") {
  CHECK(uri_of_path("./models/a b.onnx") == "models/a%20b.onnx");
  CHECK(uri_of_path("/srv/m.onnx") == "file:///srv/m.onnx");
  CHECK(uri_of_path("c:x%41\xff?#.onnx") == "c%3Ax%2541%FF%3F%23.onnx");
}
