// What was done, what was left and why, what the comparison found, where the file loads, what comes next.
#include "cli/rewrite_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "cli/document.hpp"
#include "cli/term.hpp"
#include "cli/units.hpp"
#include "cli/validation_document.hpp"
#include "linter/rules.hpp"

namespace aegis {
namespace {

constexpr std::size_t max_shown = 12;

void line(const TextStyle& style, std::ostream& out, std::size_t indent, std::string_view text) {
  out << wrap(style, text, indent, indent + 2) << '\n';
}

void more(std::ostream& out, std::size_t total) {
  if (total > max_shown) out << fmt::format("    ... and {} more; --format json has all of them\n", total - max_shown);
}

std::string words(const Json& list) {
  std::string text;
  for (const Json& entry : list) text += (text.empty() ? "" : ", ") + text_of(entry);
  return text;
}

void heading(const Json& model, const TextStyle& style, std::ostream& out) {
  std::string text = printable(model["path"].get_ref<const std::string&>());
  if (model["output"].is_string()) text += " -> " + text_of(model["output"]);
  out << paint(style, Paint::bold, text) << '\n';
  if (!model["changed"].get<bool>()) {
    const bool asked = model["asked"]["pad"].is_string() || model["asked"]["to"].is_string();
    const std::string_view why = !model["dropped"].empty() ? "nothing is left of the change"
                                 : asked                   ? "nothing to change"
                                                           : "no change was asked for (--pad, --bf16, --fp16)";
    line(style, out, 2,
         fmt::format("{}{}", why, model["copied"].get<bool>() ? ": the result is the model, byte for byte" : ""));
  }
  if (model["output"].is_null()) line(style, out, 2, paint(style, Paint::yellow, "nothing was written"));
}

void data_files(const Json& model, const TextStyle& style, std::ostream& out) {
  if (!model["data_files"].empty()) {
    const std::string names = words(model["data_files"]);
    line(style, out, 2,
         model["copied"].get<bool>()
             ? fmt::format("its weights come along: {}", names)
             : fmt::format("weights: {} in {}", with_prefix(model["data_bytes_after"].get<double>(), "B"), names));
  }
  for (const Json& error : model["not_copied"])
    line(style, out, 2,
         paint(style, Paint::yellow, "not copied") +
             fmt::format(": {} {}", text_of(error["where"]), text_of(error["message"])));
  if (!model["unused_files"].empty())
    line(style, out, 2,
         fmt::format("left there by earlier runs, not used by the result: {}; remove what no other model uses",
                     words(model["unused_files"])));
}

void done(const Json& model, const TextStyle& style, std::ostream& out) {
  std::size_t shown = 0;
  for (const Json& patch : model["patches"]) {
    if (shown++ == max_shown) break;
    line(style, out, 2,
         fmt::format("{} ({}): {}", text_of(patch["pass"]), text_of(patch["safety"]), text_of(patch["label"])));
  }
  more(out, model["patches"].size());
  shown = 0;
  for (const Json& dim : model["dims"]) {
    if (shown++ == max_shown) break;
    line(style, out, 4,
         fmt::format("{} {} -> {} in {} tensor{}", text_of(dim["symbol_or_value"]), dim["from"].dump(),
                     dim["to"].dump(), dim["tensors"].size(), dim["tensors"].size() == 1 ? "" : "s"));
  }
  more(out, model["dims"].size());
}

// Nodes that stay wide, or refusals, grouped by reason.
void reasons(const Json& list, const TextStyle& style, std::ostream& out) {
  std::map<std::string, std::pair<std::size_t, std::string>> groups;
  for (const Json& entry : list) {
    std::string reason = text_of(entry["reason"]);
    const auto rule = std::ranges::find(rules(), reason, &Rule::code);
    if (rule != rules().end()) reason += ' ' + rule->name;
    if (entry.contains("detail") && entry["detail"].is_string()) reason += ": " + text_of(entry["detail"]);
    auto& [count, names] = groups[reason];
    std::string node = text_of(entry["node"], "the model");
    if (reason.find(node) != std::string::npos) continue;
    if (const std::string scope = text_of(entry["scope"], "/"); scope != "/") node = scope + ":" + node;
    if (++count <= 3) names += (names.empty() ? "" : ", ") + node;
  }
  std::size_t shown = 0;
  for (const auto& [reason, group] : groups) {
    if (shown++ == max_shown) break;
    line(style, out, 4,
         group.second.empty() ? reason
                              : fmt::format("{} ({}{})", reason, group.second,
                                            group.first > 3 ? fmt::format(" and {} more", group.first - 3) : ""));
  }
  more(out, groups.size());
}

void left(const Json& model, const TextStyle& style, std::ostream& out) {
  if (const Json& precision = model["precision"]; precision.is_object()) {
    line(style, out, 2,
         fmt::format("{}: {} nodes compute in it, {} stay in FP32; casts {} -> {}, opset {} -> {}",
                     model["asked"]["to"] == "bf16" ? "BF16" : "FP16", precision["nodes_low"].dump(),
                     precision["nodes_wide"].dump(), precision["casts_before"].dump(), precision["casts_after"].dump(),
                     precision["opset_before"].dump(), precision["opset_after"].dump()));
    if (!precision["wide"].empty()) {
      line(style, out, 2, "in FP32, and why:");
      reasons(precision["wide"], style, out);
    }
  }
  if (!model["refused"].empty()) {
    line(style, out, 2, "left alone, and why:");
    reasons(model["refused"], style, out);
  }
}

void proof(const Json& model, const TextStyle& style, std::ostream& out) {
  if (!model["dropped"].empty())
    line(style, out, 2,
         paint(style, Paint::red,
               fmt::format("dropped, since the result failed its gate: {}", words(model["dropped"]))));
  if (model["validation"].is_object()) validation_text(model["validation"], 2, style, out);
  if (model["not_validated"].is_string())
    line(style, out, 2,
         fmt::format("{}: {}", paint(style, Paint::yellow, "NOT VALIDATED"), text_of(model["not_validated"])));
}

void next(const Json& model, const TextStyle& style, std::ostream& out) {
  const std::string runtime = text_of(model["asked"]["runtime"]);
  std::vector<std::string> opened, tables;
  for (const Json& entry : model["loads_in"])
    if (entry["proved"].get<bool>())
      opened.push_back(fmt::format("{} {} (opened)", text_of(entry["runtime"]), text_of(entry["version"])));
    else
      tables.push_back(text_of(entry["runtime"]));
  std::string loads = fmt::format("{}", fmt::join(opened, ", "));
  if (!tables.empty())
    loads +=
        fmt::format("{}by the tables of kernels {}, not proved", loads.empty() ? "" : "; ", fmt::join(tables, ", "));
  for (const Json& entry : model["loads_unknown"])
    loads += fmt::format("{}{}: not known ({} of {} nodes)", loads.empty() ? "" : "; ", text_of(entry["runtime"]),
                         entry["nodes_unknown"].get<std::size_t>(), entry["nodes"].get<std::size_t>());
  line(style, out, 2, fmt::format("loads in: {}", loads.empty() ? "no known runtime" : loads));
  for (const Json& entry : model["refused_by"])
    line(style, out, 2,
         fmt::format("{} {} refuses it: {}", text_of(entry["runtime"]), text_of(entry["version"]),
                     text_of(entry["message"])));
  if (model["output"].is_null()) return;
  const std::string output = text_of(model["output"]);
  const Json& validation = model["validation"];
  if (runtime == "tensorrt")
    line(style, out, 2, fmt::format("next: trtexec --onnx={} --stronglyTyped", shell_word(output)));
  else if (model["path"] != "-" && (!validation.is_object() || validation["evidence"] == "synthetic"))
    line(style, out, 2,
         fmt::format("next: aegis validate {} {} --inputs YOUR_DATA", shell_word(text_of(model["path"])),
                     shell_word(output)));
}

void diff(const Json& model, const TextStyle& style, std::ostream& out) {
  std::string_view text = model["diff"].get_ref<const std::string&>();
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string shown = printable(text.substr(0, end));
    out << (shown.starts_with("+")   ? paint(style, Paint::green, shown)
            : shown.starts_with("-") ? paint(style, Paint::red, shown)
                                     : shown)
        << '\n';
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
}

}  // namespace

void rewrite_text(const Json& document, const TextStyle& style, std::ostream& out) {
  for (const Json& model : document["models"]) {
    if (model["error"].is_object()) {
      out << paint(style, Paint::bold, printable(model["path"].get_ref<const std::string&>())) << ": "
          << paint(style, Paint::red, "error");
      if (model["error"]["code"].is_string()) out << ' ' << text_of(model["error"]["code"]);
      out << '\n';
      line(style, out, 2, text_of(model["error"]["message"]));
      continue;
    }
    if (model.contains("diff")) diff(model, style, out);
    heading(model, style, out);
    done(model, style, out);
    left(model, style, out);
    if (model["file_bytes_after"].is_number() && model["changed"].get<bool>() && model["file_bytes_before"] != 0)
      line(style, out, 2,
           fmt::format("file: {} -> {}", with_prefix(model["file_bytes_before"].get<double>(), "B"),
                       with_prefix(model["file_bytes_after"].get<double>(), "B")));
    data_files(model, style, out);
    proof(model, style, out);
    if (model["changed"].get<bool>()) next(model, style, out);
  }
}

}  // namespace aegis
