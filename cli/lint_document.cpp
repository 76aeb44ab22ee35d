#include "cli/lint_document.hpp"

#include <nlohmann/json.hpp>

#include "cli/document.hpp"

namespace aegis {
namespace {

Json evidence_value(const EvidenceValue& value) {
  if (const double* number = std::get_if<double>(&value)) return number_or_null(*number);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const bool* truth = std::get_if<bool>(&value)) return *truth;
  return nullptr;
}

Json evidence_json(const std::vector<Evidence>& list) {
  Json result = Json::object();
  for (const Evidence& entry : list) {
    Json& slot = result[entry.key];
    if (entry.values.size() == 1 && entry.values[0].first.empty()) {
      slot = evidence_value(entry.values[0].second);
    } else if (!entry.values.empty() && entry.values[0].first.empty()) {
      slot = Json::array();
      for (const auto& [label, value] : entry.values) slot.push_back(evidence_value(value));
    } else {
      slot = Json::object();
      for (const auto& [label, value] : entry.values) slot[label] = evidence_value(value);
    }
  }
  return result;
}

Json gain_json(const Gain& gain) {
  return Json{{"time_percent", number_or_null(gain.time_percent)},
              {"confidence", text_or_null(name(gain.confidence))},
              {"low", number_or_null(gain.low)},
              {"point", number_or_null(gain.point)},
              {"high", number_or_null(gain.high)},
              {"bytes_saved", number_or_null(gain.bytes_saved)}};
}

Json place_json(const Place& place) {
  Json json{{"scope", place.scope}, {"node", text_or_null(place.node)}};
  if (!place.value.empty()) json["value"] = place.value;
  return json;
}

Json profile_json(const Profile& profile) {
  return Json{{"flops", number_or_null(profile.flops)},
              {"bytes_min", number_or_null(profile.bytes_min)},
              {"bytes_op_by_op", number_or_null(profile.bytes_op_by_op)},
              {"time_us", number_or_null(profile.time_us)},
              {"time_us_op_by_op", number_or_null(profile.time_op_by_op_us)},
              {"parameters", number_or_null(profile.parameters)},
              {"compute_bound_percent", number_or_null(profile.compute_bound_percent)},
              {"memory_bound_percent", number_or_null(profile.memory_bound_percent)},
              {"launch_bound_percent", number_or_null(profile.launch_bound_percent)},
              {"misaligned_flops_percent", number_or_null(profile.misaligned_flops_percent)},
              {"cast_count", profile.cast_count}};
}

Json coverage_json(const Coverage& coverage) {
  Json json{{"nodes_total", coverage.nodes_total},
            {"nodes_analyzed", coverage.nodes_analyzed},
            {"flops_percent", number_or_null(coverage.flops_percent)},
            {"unbound", coverage.unbound},
            {"assumed", Json::object()},
            {"absent", Json::object()}};
  for (const auto& [symbol, extent] : coverage.assumed) json["assumed"][symbol] = extent;
  for (const auto& [reason, times] : coverage.absent) json["absent"][reason] = times;
  return json;
}

}  // namespace

Json finding_json(const Finding& finding) {
  Json json{{"code", finding.code},
            {"rule", finding.rule},
            {"severity", name(finding.severity)},
            {"scope", finding.anchor.scope},
            {"node", text_or_null(finding.anchor.node)},
            {"op", text_or_null(finding.anchor.op)},
            {"value", text_or_null(finding.anchor.value)},
            {"message", finding.message},
            {"evidence", evidence_json(finding.evidence)},
            {"gain", finding.gain ? gain_json(*finding.gain) : Json(nullptr)},
            {"members", Json::array()},
            {"related", Json::array()},
            {"targets", finding.targets},
            {"as", finding.as},
            {"certainty", text_or_null(name(finding.certainty))},
            {"fix", nullptr},
            {"advice", finding.advice},
            {"source", nullptr},
            {"suppressed", nullptr},
            {"fingerprint", finding.fingerprint}};
  for (const Place& member : finding.members) json["members"].push_back(place_json(member));
  for (const Related& related : finding.related) {
    Json place = place_json(related.place);
    if (!related.role.empty()) place["role"] = related.role;
    json["related"].push_back(std::move(place));
  }
  if (!finding.requests.empty()) {
    const Request& request = finding.requests.front();
    json["fix"] = Json{{"request", request.text}, {"safety", name(request.safety)}, {"id", request.id}};
  }
  if (!finding.source_file.empty()) json["source"] = Json{{"file", finding.source_file}, {"line", finding.source_line}};
  if (finding.suppressed)
    json["suppressed"] = Json{{"by", finding.suppressed->by}, {"reason", finding.suppressed->reason}};
  return json;
}

Json lint_json(const std::string& path, const LintResult& result) {
  Json json{{"path", path},
            {"error", nullptr},
            {"coverage", coverage_json(result.coverage)},
            {"profile", profile_json(result.profile)},
            {"findings", Json::array()}};
  for (const Finding& finding : result.findings) json["findings"].push_back(finding_json(finding));
  return json;
}

Json lint_error_json(const std::string& path, const Error& error) {
  return Json{{"path", path},
              {"error", error_object(error, path)},
              {"coverage", nullptr},
              {"profile", nullptr},
              {"findings", Json::array()}};
}

}  // namespace aegis
