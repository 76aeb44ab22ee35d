// One finding: where and which, what, why it matters in numbers with units, what to do.
#include "cli/finding_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/document.hpp"
#include "cli/term.hpp"
#include "cli/units.hpp"

namespace aegis {
namespace {

void line(const TextStyle& style, std::ostream& out, std::string_view text) { out << wrap(style, text, 2, 4) << '\n'; }

// Items in lines that are broken between items, inside of one only where it is longer than a line.
void items(const TextStyle& style, std::ostream& out, const std::vector<std::string>& list) {
  constexpr char kept_space = '\x1f';  // no printable text holds it
  std::string text;
  for (const std::string& item : list) {
    if (!text.empty()) text += std::string(1, kept_space) + "· ";
    const std::size_t at = text.size();
    text += item;
    if (width_of(item) + 8 < static_cast<std::size_t>(style.columns))
      std::replace(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), ' ', kept_space);
  }
  if (text.empty()) return;
  text = wrap(style, text, 2, 4);
  std::replace(text.begin(), text.end(), kept_space, ' ');
  out << text << '\n';
}

// "padded_flops_percent" in words.
std::string words(std::string_view key) {
  std::string text = printable(key);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

// Roofline figures that efficiency rules share, in one line; `used` collects the keys that it says.
std::vector<std::string> roofline_items(const Json& evidence, std::vector<std::string>& used) {
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
  return parts;
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
  return fmt::format("{}", fmt::join(parts, ", "));
}

// What --pad would do, in the words of the estimate.
std::vector<std::string> gain_items(const Json& finding, std::vector<std::string>& used) {
  const Json& evidence = finding["evidence"];
  const Json& gain = finding["gain"];
  if (gain.is_null()) return {};
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
  return parts;
}

// The command that carries a fix out, for the requests that `aegis rewrite` serves.
std::string fix_command(const std::string& path, const Json& finding) {
  if (finding["severity"] == "info") return "";  // the plan weighs what a fix gains, and may well leave it out
  const std::string id = finding["fix"].value("id", "");
  const std::string stem = path.ends_with(".onnx") ? path.substr(0, path.size() - 5) : path;
  if (id.starts_with("aegis.request.pad_dim/"))
    return printable(fmt::format("aegis rewrite {} --pad -o {}", shell_word(path), shell_word(stem + ".padded.onnx")));
  if (id.starts_with("aegis.request.choose_type/"))
    return printable(fmt::format("aegis rewrite {} --bf16 -o {}", shell_word(path), shell_word(stem + ".bf16.onnx")));
  return "";
}

}  // namespace

std::string finding_place(const Json& finding) {
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

Paint colour_of(std::string_view severity) {
  return severity == "error" ? Paint::red : severity == "warning" ? Paint::yellow : Paint::cyan;
}

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
  return fmt::format("{}", fmt::join(common, "/"));
}

void finding_text(const std::string& path, const Json& finding, const TextStyle& style, std::ostream& out) {
  const std::string severity = finding["severity"];
  std::string where = printable(path);
  if (std::string place = finding_place(finding); !place.empty()) where += ":" + place;
  std::string as;
  for (const Json& type : finding["as"]) as += (as.empty() ? " as " : ", ") + text_of(type);
  out << paint(style, Paint::bold, where) << ": " << paint(style, colour_of(severity), severity)
      << fmt::format(" {} {}{}\n", text_of(finding["code"]), text_of(finding["rule"]), as);
  finding_details(path, finding, style, out);
}

void finding_details(const std::string& path, const Json& finding, const TextStyle& style, std::ostream& out) {
  std::string what = text_of(finding["message"]);
  if (finding["certainty"].is_string()) what += fmt::format(" ({})", text_of(finding["certainty"]));
  line(style, out, what);
  std::vector<std::string> used;
  items(style, out, roofline_items(finding["evidence"], used));
  items(style, out, gain_items(finding, used));
  std::vector<std::string> rest;
  for (const auto& [key, value] : finding["evidence"].items())
    if (std::find(used.begin(), used.end(), key) == used.end())
      rest.push_back(fmt::format("{} {}", words(key), evidence_text(key, value)));
  items(style, out, rest);
  if (finding["targets"].size() > 1) {
    std::vector<std::string> targets;
    for (const Json& target : finding["targets"]) targets.push_back(text_of(target));
    line(style, out, fmt::format("on {}", fmt::join(targets, ", ")));
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

}  // namespace aegis
