// First the model at a glance, then the findings in their order: where and which, what, why it matters in numbers with
// units, what to do. Last come totals and coverage. With more than twenty files the findings are grouped by rule.
#include "cli/lint_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/term.hpp"
#include "cli/units.hpp"

namespace aegis {
namespace {

constexpr std::size_t max_files_in_full = 20;
constexpr std::size_t max_group_lines = 24;

std::string text_of(const Json& value, std::string_view otherwise = "") {
  return value.is_string() ? printable(value.get_ref<const std::string&>()) : std::string(otherwise);
}

std::optional<double> number_of(const Json& object, std::string_view key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

Paint colour_of(std::string_view severity) {
  return severity == "error" ? Paint::red : severity == "warning" ? Paint::yellow : Paint::cyan;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string result;
  for (const std::string& part : parts) result += (result.empty() ? "" : std::string(separator)) + part;
  return result;
}

void line(const TextStyle& style, std::ostream& out, std::string_view text) { out << wrap(style, text, 2, 4) << '\n'; }

std::string symbols_text(const Json& coverage) {
  std::vector<std::string> parts;
  for (const auto& [symbol, extent] : coverage["assumed"].items())
    parts.push_back(fmt::format("{} = {} (assumed)", printable(symbol), extent.dump()));
  for (const Json& symbol : coverage["unbound"]) parts.push_back(fmt::format("{} unbound", text_of(symbol)));
  return join(parts, ", ");
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
  out << paint(style, Paint::bold, line_safe(model["path"].get_ref<const std::string&>())) << '\n';
  if (!parts.empty()) line(style, out, join(parts, " · "));
  parts.clear();
  for (const char* bound : {"compute", "memory", "launch"})
    if (auto percent = number_of(profile, fmt::format("{}_bound_percent", bound)))
      parts.push_back(fmt::format("{} % {}-bound", short_number(*percent), bound));
  if (!parts.empty()) line(style, out, "of the estimated time: " + join(parts, ", "));
  if (std::string symbols = symbols_text(model["coverage"]); !symbols.empty()) line(style, out, "dims: " + symbols);
}

// Roofline figures that efficiency rules share, in one line; `used` collects the keys that it says.
std::string roofline_text(const Json& evidence, std::vector<std::string>& used) {
  std::vector<std::string> parts;
  const auto take = [&](const char* key) {
    used.emplace_back(key);
    return number_of(evidence, key);
  };
  if (auto flops = take("flops")) parts.push_back(with_prefix(*flops, "FLOP"));
  const auto bytes = take("bytes_min"), most = take("bytes_op_by_op");
  if (bytes)
    parts.push_back(most && *most > *bytes ? fmt::format("{} to {}", with_prefix(*bytes, "B"), with_prefix(*most, "B"))
                                           : with_prefix(*bytes, "B"));
  const auto low = take("intensity_min"), high = take("intensity_max"), ridge = take("ridge");
  if (low && high && ridge) {
    const std::string range = *high - *low > 0.01 * *high
                                  ? fmt::format("{} to {}", short_number(*low), short_number(*high))
                                  : short_number(*high);
    const char* bound = *low >= *ridge   ? "compute-bound"
                        : *high < *ridge ? "memory-bound"
                                         : "memory-bound unless fused";
    parts.push_back(fmt::format("{} FLOP/B, {} (ridge {})", range, bound, short_number(*ridge)));
  }
  const auto fast = take("time_us_min"), slow = take("time_us_max");
  if (fast)
    parts.push_back(slow && *slow > *fast ? fmt::format("{} to {}", as_time(*fast), as_time(*slow)) : as_time(*fast));
  if (auto percent = take("time_percent"))
    parts.push_back(fmt::format("{} % of the estimated time", short_number(*percent)));
  return join(parts, " · ");
}

std::string evidence_text(const std::string& key, const Json& value) {
  if (value.is_number()) return as_quantity(key, value.get<double>());
  if (value.is_null()) return "unknown";
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_string()) return text_of(value);
  std::vector<std::string> parts;
  for (const auto& [label, entry] : value.items()) {
    if (parts.size() == 6) {
      parts.emplace_back("...");
      break;
    }
    parts.push_back(value.is_object() ? fmt::format("{} {}", printable(label), evidence_text(key, entry))
                                      : evidence_text(key, entry));
  }
  return join(parts, ", ");
}

// What --pad would do, in the words of the estimate.
std::string gain_text(const Json& finding, std::vector<std::string>& used) {
  const Json& evidence = finding["evidence"];
  const Json& gain = finding["gain"];
  if (gain.is_null()) return "";
  for (const char* key : {"gain", "gain_low", "gain_high", "confidence"}) used.emplace_back(key);
  std::vector<std::string> parts;
  const auto low = number_of(gain, "low"), high = number_of(gain, "high");
  if (low && high && *high > 1)
    parts.push_back(
        fmt::format("estimated gain {}x to {}x{}", short_number(*low), short_number(*high),
                    gain["confidence"].is_null() ? "" : fmt::format(" (confidence {})", text_of(gain["confidence"]))));
  if (auto percent = number_of(gain, "time_percent"))
    parts.push_back(fmt::format("at most {} % of the model", short_number(*percent)));
  if (auto saved = number_of(gain, "bytes_saved")) parts.push_back(fmt::format("saves {}", with_prefix(*saved, "B")));
  if (auto flops = number_of(evidence, "padded_flops_percent")) {
    used.emplace_back("padded_flops_percent");
    parts.push_back(fmt::format("costs {} % more FLOPs", short_number(*flops)));
  }
  return join(parts, " · ");
}

// The command that carries a fix out, for the requests that `aegis rewrite` serves.
std::string fix_command(const std::string& path, const Json& finding) {
  if (finding["severity"] == "info") return "";  // the plan weighs what a fix gains, and may well leave it out
  const std::string id = finding["fix"].value("id", "");
  const std::string stem = path.ends_with(".onnx") ? path.substr(0, path.size() - 5) : path;
  if (id.starts_with("aegis.request.pad_dim/"))
    return printable(fmt::format("aegis rewrite {} --pad -o {}.padded.onnx", path, stem));
  if (id.starts_with("aegis.request.choose_type/"))
    return printable(fmt::format("aegis rewrite {} --bf16 -o {}.bf16.onnx", path, stem));
  return "";
}

std::string place_text(const Json& finding) {
  std::vector<std::string> names;
  for (const Json& member : finding["members"])
    if (member["node"].is_string()) names.push_back(member["node"]);
  std::string node = names.size() > 1 ? printable(common_name(names)) : text_of(finding["node"]);
  if (node.empty()) node = text_of(finding["value"]);
  const std::string scope = text_of(finding["scope"], "/");
  std::string place = scope == "/" || node.empty() ? node : scope + ":" + node;
  if (place.empty()) place = scope == "/" ? "" : scope;
  return names.size() > 1 ? fmt::format("{} ({} nodes)", place, names.size()) : place;
}

void finding_text(const std::string& path, const Json& finding, const TextStyle& style, std::ostream& out) {
  const std::string severity = finding["severity"];
  std::string where = line_safe(path);
  if (std::string place = place_text(finding); !place.empty()) where += ":" + place;
  std::string as;
  for (const Json& type : finding["as"]) as += (as.empty() ? " as " : ", ") + text_of(type);
  out << paint(style, Paint::bold, where) << ": " << paint(style, colour_of(severity), severity)
      << fmt::format(" {} {}{}\n", text_of(finding["code"]), text_of(finding["rule"]), as);
  std::string what = text_of(finding["message"]);
  if (finding["certainty"].is_string()) what += fmt::format(" ({})", text_of(finding["certainty"]));
  line(style, out, what);
  std::vector<std::string> used;
  if (std::string roofline = roofline_text(finding["evidence"], used); !roofline.empty()) line(style, out, roofline);
  if (std::string gain = gain_text(finding, used); !gain.empty()) line(style, out, gain);
  std::vector<std::string> rest;
  for (const auto& [key, value] : finding["evidence"].items())
    if (std::find(used.begin(), used.end(), key) == used.end())
      rest.push_back(fmt::format("{} {}", printable(key), evidence_text(key, value)));
  if (!rest.empty()) line(style, out, join(rest, " · "));
  if (finding["targets"].size() > 1) {
    std::vector<std::string> targets;
    for (const Json& target : finding["targets"]) targets.push_back(text_of(target));
    line(style, out, "on " + join(targets, ", "));
  }
  if (finding["source"].is_object())
    line(style, out, fmt::format("source {}:{}", text_of(finding["source"]["file"]), finding["source"]["line"].dump()));
  for (const Json& advice : finding["advice"]) line(style, out, "advice: " + text_of(advice));
  if (finding["fix"].is_object()) {
    line(style, out,
         fmt::format("fix ({}): {}", text_of(finding["fix"]["safety"]), text_of(finding["fix"]["request"])));
    if (std::string command = fix_command(path, finding); !command.empty()) out << "    " << command << '\n';
  }
}

void model_text(const Json& model, const TextStyle& style, std::ostream& out) {
  const std::string path = model["path"];
  if (model["error"].is_object()) {
    out << paint(style, Paint::bold, line_safe(path)) << ": " << paint(style, Paint::red, "error");
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
                       group->rule, group->findings, join(folders, ", "));
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
    out << fmt::format("{}: suppression of {} at {} {}\n", line_safe(stale["origin"].get_ref<const std::string&>()),
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

std::string common_name(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  const auto parts_of = [](std::string_view name) {
    std::vector<std::string> parts;
    while (true) {
      const std::size_t end = name.find('/');
      parts.emplace_back(name.substr(0, end));
      if (end == std::string_view::npos) return parts;
      name.remove_prefix(end + 1);
    }
  };
  std::vector<std::string> common = parts_of(names[0]);
  for (const std::string& name : names) {
    const std::vector<std::string> parts = parts_of(name);
    if (parts.size() != common.size()) return fmt::format("{} and {} more", names[0], names.size() - 1);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::string& mine = common[i];
      if (mine == parts[i]) continue;
      const std::size_t star = mine.find('*');
      const std::string head = mine.substr(0, star), tail = star == std::string::npos ? mine : mine.substr(star + 1);
      std::size_t front = 0, back = 0;
      while (front < head.size() && front < parts[i].size() && head[front] == parts[i][front]) ++front;
      while (back < tail.size() && back + front < parts[i].size() &&
             tail[tail.size() - 1 - back] == parts[i][parts[i].size() - 1 - back])
        ++back;
      mine = head.substr(0, front) + "*" + tail.substr(tail.size() - back);
    }
  }
  return join(common, "/");
}

void lint_text(const Json& document, const TextStyle& style, std::ostream& out) {
  if (document["models"].size() > max_files_in_full) {
    grouped_text(document, style, out);
  } else {
    for (const Json& model : document["models"]) model_text(model, style, out);
  }
  summary_text(document["summary"], style, out);
}

}  // namespace aegis
