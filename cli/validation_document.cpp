#include "cli/validation_document.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/document.hpp"
#include "cli/term.hpp"
#include "cli/units.hpp"

namespace aegis {
namespace {

Json node_json(const NodePlace& place) {
  return Json{{"scope", place.scope}, {"node", text_or_null(place.node)}, {"op", text_or_null(place.op)}};
}

Json agreement_json(const Agreement& agreement) {
  return Json{{"share", agreement.share}, {"low", agreement.low}, {"high", agreement.high}, {"n", agreement.n}};
}

Json output_json(const OutputAccuracy& output) {
  Json json{{"name", output.name},
            {"max_abs", number_or_null(output.max_abs)},
            {"max_abs_index", output.max_abs_index},
            {"rel_l2", number_or_null(output.rel_l2)},
            {"snr_db", number_or_null(output.snr_db)},
            {"cosine", number_or_null(output.cosine)},
            {"max_ulp", number_or_null(output.max_ulp)},
            {"new_nonfinite", output.new_nonfinite},
            {"bit_exact", output.bit_exact},
            {"top1_agreement", output.top1 ? Json(output.top1->share) : Json(nullptr)},
            {"verdict", name(output.verdict)},
            {"equal_share", number_or_null(output.equal_share)},
            {"worst_set", text_or_null(output.worst_set)},
            {"gate", text_or_null(output.gate)},
            {"reason", text_or_null(output.reason)},
            {"top1", output.top1 ? agreement_json(*output.top1) : Json(nullptr)},
            {"top5", output.top5 ? agreement_json(*output.top5) : Json(nullptr)},
            {"degenerate", nullptr}};
  if (output.degenerate)
    json["degenerate"] = Json{{"why", output.degenerate->why},
                              {"gated_on", text_or_null(output.degenerate->gated_on)},
                              {"snr_db", number_or_null(output.degenerate->gated_snr_db)}};
  return json;
}

Json first_bad_json(const FirstBad& bad) {
  Json json = node_json(bad);
  json["value"] = bad.value;
  json["kind"] = bad.kind;
  json["local_rel_l2"] = number_or_null(bad.local_rel_l2);
  json["cumulative_rel_l2"] = number_or_null(bad.cumulative_rel_l2);
  json["amplification"] = number_or_null(bad.amplification);
  return json;
}

Json speed_json(const Speed& speed) {
  return Json{{"verdict", speed.verdict},
              {"ratio", number_or_null(speed.ratio)},
              {"ci95", speed.ci95 ? Json(*speed.ci95) : Json(nullptr)},
              {"noise_floor", number_or_null(speed.noise_floor)},
              {"before_us", number_or_null(speed.before_us)},
              {"after_us", number_or_null(speed.after_us)},
              {"baselines", Json::object()},
              {"clock_hz", number_or_null(speed.clock_hz)},
              {"first_run_us", number_or_null(speed.first_run_us)}};
}

std::string figures(const Json& output) {
  if (output["bit_exact"].get<bool>()) return "equal bit for bit";
  std::string text;
  if (output["snr_db"].is_number()) text += fmt::format("SNR {} dB", short_number(output["snr_db"].get<double>()));
  if (output["max_abs"].is_number())
    text +=
        fmt::format("{}largest difference {}", text.empty() ? "" : ", ", short_number(output["max_abs"].get<double>()));
  if (const Json& top1 = output["top1"]; top1.is_object())
    text += fmt::format(", same first class in {} % of {}", short_number(100 * top1["share"].get<double>()),
                        top1["n"].dump());
  if (output["new_nonfinite"].get<std::uint64_t>() > 0)
    text += fmt::format(", {} values became NaN or infinite", output["new_nonfinite"].dump());
  return text.empty() ? "not comparable" : text;
}

std::string rests_on(const Json& validation) {
  const std::string evidence = text_of(validation["evidence"]);
  const Json& inputs = validation["inputs"];
  if (evidence == "synthetic") return fmt::format("synthetic inputs, {} sets", inputs["count"].dump());
  return fmt::format("your data{}, n = {}", evidence == "task" ? " and labels" : "", inputs["samples"].dump());
}

Paint colour_of(std::string_view verdict) {
  return verdict == "pass" ? Paint::green : verdict == "warn" ? Paint::yellow : Paint::red;
}

}  // namespace

Json validation_json(const Validation& validation) {
  Json json{{"verdict", name(validation.verdict)},
            {"reason", text_or_null(validation.reason)},
            {"detail", text_or_null(validation.detail)},
            {"evidence", name(validation.evidence)},
            {"engine", validation.engine},
            {"modes", Json{{"change", name(validation.change)},
                           {"change_inferred", validation.change_inferred},
                           {"rounding", "per_op"}}},
            {"inputs", Json{{"count", validation.inputs.count},
                            {"source", validation.inputs.source},
                            {"seed", validation.inputs.seed},
                            {"planned", validation.inputs.planned},
                            {"samples", validation.inputs.samples},
                            {"used", Json::array()},
                            {"symbols", Json::object()}}},
            {"accuracy", Json{{"outputs", Json::array()}}},
            {"first_bad", validation.first_bad ? first_bad_json(*validation.first_bad) : Json(nullptr)},
            {"speed", speed_json(validation.speed)},
            {"task", nullptr},
            {"not_run", Json::array()},
            {"limits", validation.limits},
            {"not_covered", validation.not_covered}};
  for (const InputUsed& input : validation.inputs.used)
    json["inputs"]["used"].push_back(
        Json{{"name", input.name}, {"dtype", input.dtype}, {"shape", input.shape}, {"source", input.source}});
  for (const Symbol& symbol : validation.inputs.symbols) {
    const auto extent = symbol.bound ? symbol.bound : symbol.assumed;
    json["inputs"]["symbols"][symbol.name] = extent ? Json(*extent) : Json(nullptr);
  }
  for (const OutputAccuracy& output : validation.outputs) json["accuracy"]["outputs"].push_back(output_json(output));
  if (validation.task)
    json["task"] = Json{{"output", validation.task->output},
                        {"n", validation.task->n},
                        {"top1_before", validation.task->top1_before},
                        {"top1_after", validation.task->top1_after}};
  for (const NotRun& entry : validation.not_run) {
    Json node = node_json(entry);
    node["model"] = entry.model;
    node["reason"] = entry.reason;
    json["not_run"].push_back(std::move(node));
  }
  return json;
}

void validation_text(const Json& validation, std::size_t indent, const TextStyle& style, std::ostream& out) {
  const auto line = [&](std::size_t more, const std::string& text) {
    out << wrap(style, text, indent + more, indent + more + 2) << '\n';
  };
  const std::string verdict = text_of(validation["verdict"]);
  line(0, fmt::format("validation: {} ({})", paint(style, colour_of(verdict), verdict), rests_on(validation)));
  if (validation["detail"].is_string()) line(2, text_of(validation["detail"]));
  for (const Json& output : validation["accuracy"]["outputs"]) {
    std::string text = fmt::format("{}: {}", text_of(output["name"]), figures(output));
    if (output["gate"].is_string()) text += fmt::format(" (gate: {})", text_of(output["gate"]));
    if (text_of(output["verdict"]) != "pass")
      text += fmt::format(": {}", paint(style, colour_of(text_of(output["verdict"])), text_of(output["verdict"])));
    if (output["reason"].is_string()) text += fmt::format(", {}", text_of(output["reason"]));
    line(2, text);
  }
  if (const Json& task = validation["task"]; task.is_object())
    line(2, fmt::format("right answers by {}: {} % before, {} % after, n = {}", text_of(task["output"]),
                        short_number(100 * task["top1_before"].get<double>()),
                        short_number(100 * task["top1_after"].get<double>()), task["n"].dump()));
  if (const Json& bad = validation["first_bad"]; bad.is_object()) {
    std::string text =
        fmt::format("first bad node: {} ({}, {})", text_of(bad["node"]), text_of(bad["op"]), text_of(bad["kind"]));
    if (bad["local_rel_l2"].is_number())
      text += fmt::format(", own relative error {}", short_number(bad["local_rel_l2"].get<double>()));
    if (bad["cumulative_rel_l2"].is_number())
      text += fmt::format(", with what it inherits {}", short_number(bad["cumulative_rel_l2"].get<double>()));
    line(2, text);
  }
  std::size_t shown = 0;
  for (const Json& entry : validation["not_run"]) {
    if (shown++ == 5) {
      line(2, fmt::format("... and {} more nodes", validation["not_run"].size() - 5));
      break;
    }
    line(2, fmt::format("not run: {} ({}) in {}: {}", text_of(entry["node"]), text_of(entry["op"]),
                        text_of(entry["model"]), text_of(entry["reason"])));
  }
  if (validation["engine"] == "cpu") {
    std::string text = "accuracy by reference arithmetic on the cpu engine, each operator's result rounded to its type";
    std::string open;
    for (const Json& entry : validation["not_covered"]) open += (open.empty() ? "" : ", ") + text_of(entry);
    line(2, open.empty() ? text : fmt::format("{}; not covered: {}", text, open));
  }
  for (const Json& limit : validation["limits"]) line(2, "limit: " + text_of(limit));
}

Exit exit_of(Verdict verdict) {
  return verdict == Verdict::pass || verdict == Verdict::warn ? Exit::clean : Exit::validation;
}

}  // namespace aegis
