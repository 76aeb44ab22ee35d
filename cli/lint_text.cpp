// First the model at a glance, then the findings in their order: where and which, what, why it matters in numbers with
// units, what to do. Last come totals and coverage. With more than twenty files the findings are grouped by rule.
#include "cli/lint_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/document.hpp"
#include "cli/finding_text.hpp"
#include "cli/term.hpp"
#include "cli/units.hpp"

namespace aegis {
namespace {

constexpr std::size_t max_files_in_full = 20;
constexpr std::size_t max_group_lines = 24;

void line(const TextStyle& style, std::ostream& out, std::string_view text) { out << wrap(style, text, 2, 4) << '\n'; }

std::string symbols_text(const Json& coverage) {
  std::vector<std::string> parts;
  for (const auto& [symbol, extent] : coverage["assumed"].items())
    parts.push_back(fmt::format("{} = {} (assumed)", printable(symbol), extent.dump()));
  for (const Json& symbol : coverage["unbound"]) parts.push_back(fmt::format("{} unbound", text_of(symbol)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

void profile_text(const Json& model, const TextStyle& style, std::ostream& out) {
  const Json& profile = model["profile"];
  std::vector<std::string> parts;
  if (auto parameters = number_of(profile, "parameters")) parts.push_back(with_prefix(*parameters, " parameters"));
  if (auto flops = number_of(profile, "flops")) parts.push_back(with_prefix(*flops, "FLOP"));
  if (auto bytes = number_of(profile, "bytes_min")) {
    auto most = number_of(profile, "bytes_op_by_op");
    parts.push_back(most && *most > *bytes ? fmt::format("{} moved when fused, {} op by op", with_prefix(*bytes, "B"),
                                                         with_prefix(*most, "B"))
                                           : fmt::format("{} moved", with_prefix(*bytes, "B")));
  }
  if (auto time = number_of(profile, "time_us")) parts.push_back("estimated " + as_time(*time));
  out << paint(style, Paint::bold, printable(model["path"].get_ref<const std::string&>())) << '\n';
  if (!parts.empty()) line(style, out, fmt::format("{}", fmt::join(parts, " · ")));
  parts.clear();
  for (const char* bound : {"compute", "memory", "launch"})
    if (auto percent = number_of(profile, fmt::format("{}_bound_percent", bound)))
      parts.push_back(fmt::format("{} % {}-bound", short_number(*percent), bound));
  if (!parts.empty()) line(style, out, fmt::format("of the estimated time: {}", fmt::join(parts, ", ")));
  if (std::string symbols = symbols_text(model["coverage"]); !symbols.empty()) line(style, out, "dims: " + symbols);
}

void model_text(const Json& model, const TextStyle& style, std::ostream& out) {
  const std::string path = model["path"];
  if (model["error"].is_object()) {
    out << paint(style, Paint::bold, printable(path)) << ": " << paint(style, Paint::red, "error");
    if (model["error"]["code"].is_string()) out << ' ' << text_of(model["error"]["code"]);
    out << '\n';
    line(style, out, text_of(model["error"]["message"]));
    return;
  }
  profile_text(model, style, out);
  for (const Json& finding : model["findings"])
    if (finding["suppressed"].is_null()) finding_text(path, finding, style, out);
  const Json& coverage = model["coverage"];
  std::string covered =
      fmt::format("analysed {} of {} nodes", coverage["nodes_analyzed"].dump(), coverage["nodes_total"].dump());
  if (auto percent = number_of(coverage, "flops_percent"))
    covered += fmt::format(", {} % of the FLOPs", short_number(*percent));
  line(style, out, covered);
}

// Many files: one line a rule and folder, the most frequent first.
void grouped_text(const Json& document, const TextStyle& style, std::ostream& out) {
  struct Group {
    std::string severity, rule;
    std::size_t findings = 0;
    std::map<std::string, std::size_t> folders;
  };
  std::map<std::string, Group> groups;
  for (const Json& model : document["models"]) {
    const std::string path = model["path"];
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
    const auto add = [&](const std::string& code, const std::string& rule, const std::string& severity) {
      Group& group = groups[code];
      group.rule = rule;
      if (group.severity.empty() || severity == "error" || (severity == "warning" && group.severity == "info"))
        group.severity = severity;
      ++group.findings;
      ++group.folders[folder];
    };
    if (model["error"].is_object()) add(text_of(model["error"]["code"], "error"), "", "error");
    for (const Json& finding : model["findings"])
      if (finding["suppressed"].is_null()) add(text_of(finding["code"]), text_of(finding["rule"]), finding["severity"]);
  }
  std::vector<std::pair<std::string, const Group*>> sorted;
  for (const auto& [code, group] : groups) sorted.emplace_back(code, &group);
  const auto rank = [](const Group* group) {
    return group->severity == "error" ? 2 : group->severity == "warning" ? 1 : 0;
  };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) {
    return std::pair(rank(a.second), a.second->findings) > std::pair(rank(b.second), b.second->findings);
  });
  std::size_t lines = 0;
  for (const auto& [code, group] : sorted) {
    if (lines++ == max_group_lines) {
      out << fmt::format("... and {} more rules; --format json has all of them\n", sorted.size() - max_group_lines);
      break;
    }
    std::vector<std::string> folders;
    for (const auto& [folder, count] : group->folders) {
      if (folders.size() == 2 && group->folders.size() > 3) {
        folders.push_back(fmt::format("{} more folders", group->folders.size() - 2));
        break;
      }
      folders.push_back(fmt::format("{} {}", printable(folder), count));
    }
    out << fmt::format("{} {} {}: {} findings ({})\n", paint(style, colour_of(group->severity), group->severity), code,
                       group->rule, group->findings, fmt::join(folders, ", "));
  }
}

void summary_text(const Json& summary, const TextStyle& style, std::ostream& out) {
  for (const Json& budget : summary["budgets"]) {
    const std::string state = budget["ok"].is_null() ? "unknown" : budget["ok"].get<bool>() ? "kept" : "exceeded";
    const std::string actual = budget["actual"].is_null() ? "unknown" : short_number(budget["actual"].get<double>());
    out << paint(style, state == "exceeded" ? Paint::red : Paint::dim,
                 fmt::format("budget {}: {} of {} ({})", text_of(budget["name"]), actual,
                             short_number(budget["limit"].get<double>()), state))
        << '\n';
  }
  for (const Json& stale : summary["stale_suppressions"])
    out << fmt::format("{}: suppression of {} at {} {}\n", printable(stale["origin"].get_ref<const std::string&>()),
                       text_of(stale["rule"]), text_of(stale["node"]),
                       stale["expired"].get<bool>() ? "has expired" : "matches nothing");
  const auto count = [&](const char* key) { return summary[key].get<std::size_t>(); };
  const auto counted = [](std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  out << fmt::format("{}, {}, {} in {}", counted(count("errors"), "error"), counted(count("warnings"), "warning"),
                     counted(count("infos"), "info"), counted(count("files"), "file"));
  if (count("suppressed")) out << fmt::format(", {} suppressed", count("suppressed"));
  if (count("pointers_skipped")) out << fmt::format(", {} Git LFS pointers skipped", count("pointers_skipped"));
  out << '\n';
}

}  // namespace

void lint_text(const Json& document, const TextStyle& style, std::ostream& out) {
  if (document["models"].size() > max_files_in_full) {
    grouped_text(document, style, out);
  } else {
    for (const Json& model : document["models"]) model_text(model, style, out);
  }
  summary_text(document["summary"], style, out);
}

}  // namespace aegis
