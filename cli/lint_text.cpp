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
constexpr std::size_t max_rules = 20, max_unusable = 6, max_budgets = 5, max_stale = 3, max_folders = 3;

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

std::string counted(std::size_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

// The findings of one rule in all files.
struct Group {
  std::string severity, code, rule;
  std::size_t findings = 0;
  std::map<std::string, std::size_t> files;    // findings by file
  std::map<std::string, std::size_t> folders;  // findings by folder

  void add(const std::string& path, const std::string& level) {
    if (severity.empty() || level == "error" || (level == "warning" && severity == "info")) severity = level;
    ++findings;
    ++files[path];
    ++folders[folder_of(path)];
  }
  int rank() const { return severity == "error" ? 2 : severity == "warning" ? 1 : 0; }
  // "models/a 5, models/b 3 and 7 more folders": the fullest first.
  std::string places() const {
    std::vector<std::pair<std::string, std::size_t>> sorted(folders.begin(), folders.end());
    std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.second > b.second; });
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(sorted.size(), max_folders); ++i)
      shown.push_back(fmt::format("{} {}", printable(sorted[i].first), sorted[i].second));
    std::string text = fmt::format("{}", fmt::join(shown, ", "));
    if (sorted.size() > max_folders)
      text += fmt::format(" and {}", counted(sorted.size() - max_folders, "more folder"));
    return text;
  }
};

// "... and 7 more": at most `most` of `all` lines are written by `write(i)`.
void some_lines(std::size_t all, std::size_t most, std::string_view what, std::ostream& out, const auto& write) {
  for (std::size_t i = 0; i < std::min(all, most); ++i) write(i);
  if (all > most) out << fmt::format("... and {}; --format json has all\n", counted(all - most, what));
}

// Many files: one line a rule with the folders it fires in, errors first, then the most frequent; before them the files
// that could not be used. Under forty lines with the summary, however many files there are.
void grouped_text(const Json& document, const TextStyle& style, std::ostream& out) {
  std::map<std::string, Group> groups;
  std::vector<const Json*> unusable;
  for (const Json& model : document["models"]) {
    if (model["error"].is_object()) unusable.push_back(&model);
    for (const Json& finding : model["findings"]) {
      if (!finding["suppressed"].is_null()) continue;
      Group& group = groups[finding["code"]];
      group.code = text_of(finding["code"]);
      group.rule = text_of(finding["rule"]);
      group.add(model["path"], finding["severity"]);
    }
  }
  some_lines(unusable.size(), max_unusable, "more file", out, [&](std::size_t i) {
    const Json& error = (*unusable[i])["error"];
    out << fmt::format("{}: {} {}: {}\n", printable((*unusable[i])["path"].get_ref<const std::string&>()),
                       paint(style, Paint::red, "error"), text_of(error["code"]), text_of(error["message"]));
  });
  std::vector<const Group*> sorted;
  for (const auto& [code, group] : groups) sorted.push_back(&group);
  std::ranges::stable_sort(sorted, [](const Group* a, const Group* b) {
    return std::pair(a->rank(), a->findings) > std::pair(b->rank(), b->findings);
  });
  some_lines(sorted.size(), max_rules, "more rule", out, [&](std::size_t i) {
    const Group& group = *sorted[i];
    out << fmt::format("{} {} {}: {} in {} ({})\n", paint(style, colour_of(group.severity), group.severity), group.code,
                       group.rule, counted(group.findings, "finding"), counted(group.files.size(), "file"),
                       group.places());
  });
}

void summary_text(const Json& summary, bool short_form, const TextStyle& style, std::ostream& out) {
  const Json& budgets = summary["budgets"];
  some_lines(budgets.size(), short_form ? max_budgets : budgets.size(), "more budget", out, [&](std::size_t i) {
    const Json& budget = budgets[i];
    const std::string state = budget["ok"].is_null() ? "unknown" : budget["ok"].get<bool>() ? "kept" : "exceeded";
    const std::string actual = budget["actual"].is_null() ? "unknown" : short_number(budget["actual"].get<double>());
    out << paint(style, state == "exceeded" ? Paint::red : Paint::dim,
                 fmt::format("budget {}: {} of {} ({})", text_of(budget["name"]), actual,
                             short_number(budget["limit"].get<double>()), state))
        << '\n';
  });
  const Json& stale = summary["stale_suppressions"];
  some_lines(stale.size(), short_form ? max_stale : stale.size(), "more suppression", out, [&](std::size_t i) {
    out << fmt::format("{}: suppression of {} at {} {}\n", printable(stale[i]["origin"].get_ref<const std::string&>()),
                       text_of(stale[i]["rule"]), text_of(stale[i]["node"]),
                       stale[i]["expired"].get<bool>() ? "has expired" : "matches nothing");
  });
  const auto count = [&](const char* key) { return summary[key].get<std::size_t>(); };
  out << fmt::format("{}, {}, {} in {}", counted(count("errors"), "error"), counted(count("warnings"), "warning"),
                     counted(count("infos"), "info"), counted(count("files"), "file"));
  if (count("suppressed")) out << fmt::format(", {} suppressed", count("suppressed"));
  if (count("pointers_skipped")) out << fmt::format(", {} Git LFS pointers skipped", count("pointers_skipped"));
  out << '\n';
}

}  // namespace

void lint_text(const Json& document, const TextStyle& style, std::ostream& out) {
  const bool short_form = document["models"].size() > max_files_in_full;
  if (short_form) {
    grouped_text(document, style, out);
  } else {
    for (const Json& model : document["models"]) model_text(model, style, out);
  }
  summary_text(document["summary"], short_form, style, out);
}

}  // namespace aegis
