#include "linter/host/report.hpp"

#include <aegis/requests.h>
#include <fmt/format.h>
#include <xxhash.h>

#include <aegis/rule/lists.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "linter/host/attributes.hpp"
#include "linter/request_copy.hpp"

namespace aegis::host {

static Place node_place(const Model& model, NodeId id) {
  const Node& node = model.node(id);
  Place place;
  place.kind = Place::Kind::node;
  place.scope_id = node.scope;
  place.node_id = id;
  place.scope = model.scope(node.scope).path;
  place.node = label(model, id);
  place.op = node.op;
  return place;
}

static Place place_of(const Model& model, aegis_place from) {
  if (from.kind == AEGIS_PLACE_NODE) return node_place(model, NodeId{from.id});
  Place place;
  if (from.kind == AEGIS_PLACE_SCOPE) {
    place.kind = Place::Kind::scope;
    place.scope_id = ScopeId{from.id};
    place.scope = model.scope(place.scope_id).path;
  } else if (from.kind == AEGIS_PLACE_VALUE) {
    const Value& value = model.values()[from.id];
    if (value.producer != NodeId::none) place = node_place(model, value.producer);
    place.kind = Place::Kind::value;
    if (value.scope != ScopeId::none) place.scope_id = value.scope;
    place.scope = model.scope(place.scope_id).path;
    place.value_id = value.id;
    place.value = value.name;
  }
  return place;
}

// The unit as a part of a key: "bytes" for AEGIS_BYTES. Counts, ratios and intensities have none.
static std::string_view suffix(aegis_quantity unit) {
  switch (unit) {
    case AEGIS_BYTES: return "bytes";
    case AEGIS_FLOP: return "flops";
    case AEGIS_MICROSECONDS: return "us";
    case AEGIS_PERCENT: return "percent";
    case AEGIS_RADIANS: return "rad";
    case AEGIS_PIXELS: return "px";
    default: return {};
  }
}

// The key with its unit: "padded" in percent is "padded_percent", "time_us_min" keeps its name.
static std::string key_with_unit(const std::string& key, aegis_quantity unit) {
  const std::string_view word = suffix(unit);
  if (word.empty()) return key;
  const std::string padded = "_" + key + "_";
  return padded.find("_" + std::string(word) + "_") != std::string::npos ? key : key + "_" + std::string(word);
}

static std::vector<Evidence> evidence_of(const Draft& draft) {
  std::vector<Evidence> out;
  for (const DraftEvidence& e : draft.evidence) {
    const std::string key = key_with_unit(e.key, e.unit);
    auto at = std::ranges::find(out, key, &Evidence::key);
    if (at == out.end()) at = out.insert(out.end(), Evidence{.key = key, .values = {}});
    at->values.emplace_back(e.label, e.value);
  }
  return out;
}

static std::optional<double> number_of(const std::vector<Evidence>& evidence, std::string_view key) {
  const auto at = std::ranges::find(evidence, key, &Evidence::key);
  const double* number = at == evidence.end() ? nullptr : std::get_if<double>(&at->values.front().second);
  return number ? std::optional(*number) : std::nullopt;
}

static std::optional<Gain> gain_of(const Draft& draft, const std::vector<Evidence>& evidence) {
  const std::optional<double> share = number_of(evidence, "time_percent");
  if (!draft.gain && !share) return std::nullopt;
  Gain gain;
  gain.time_percent = share;
  if (!draft.gain) return gain;
  gain.low = draft.gain->low;
  gain.point = draft.gain->point;
  gain.high = draft.gain->high;
  gain.confidence = static_cast<Confidence>(draft.gain->confidence);
  if (draft.gain->bytes_saved > 0) gain.bytes_saved = draft.gain->bytes_saved;
  return gain;
}

static Finding finding_of(const Model& model, const Draft& draft, const Suppressor& suppressor) {
  Finding out;
  out.code = draft.rule->code;
  out.rule = draft.rule->name;
  out.severity = draft.severity;
  out.anchor = place_of(model, draft.anchor);
  out.message = draft.message;
  out.evidence = evidence_of(draft);
  out.gain = gain_of(draft, out.evidence);
  for (const aegis_node node : draft.members) out.members.push_back(node_place(model, NodeId{node.id}));
  for (const DraftRelated& related : draft.related) {
    out.related.push_back({.place = place_of(model, related.place),
                           .role = related.role,
                           .bytes = std::isnan(related.bytes) ? std::nullopt : std::optional(related.bytes)});
  }
  out.targets = draft.targets;
  out.as = draft.as;
  out.certainty = draft.certainty;
  out.requests = draft.requests;
  for (Request& request : out.requests) request.text = request_text(model, request);
  out.advice = draft.advice;
  if (out.anchor.node_id != NodeId::none) {
    const SourcePosition source = source_position(model.node(out.anchor.node_id));
    out.source_file = source.file;
    out.source_line = source.line;
  }
  if (draft.suppression) {
    const Suppression& by = suppressor.all()[*draft.suppression];
    out.suppressed = Suppressed{.by = by.origin.empty() ? "suppression of " + by.rule : by.origin, .reason = by.reason};
  }
  // Without certainty nothing is said about a value, so nothing has to stay wide for it.
  out.pins = draft.rule->pins && draft.certainty != Certainty::unstated;
  return out;
}

std::vector<Finding> findings_of(const Model& model, std::span<const Draft> drafts, const Suppressor& suppressor) {
  std::vector<Finding> out;
  std::map<std::string, int> times;  // equal structures in the order of the file
  for (const Draft& draft : drafts) {
    Finding finding = finding_of(model, draft, suppressor);
    std::string structure = fmt::format("{}|{:016x}|{}", finding.code, draft.structure,
                                        static_cast<int>(model.scope(finding.anchor.scope_id).kind));
    structure += fmt::format("|{}", times[structure]++);
    finding.fingerprint = fmt::format("{:016x}", XXH3_64bits(structure.data(), structure.size()));
    out.push_back(std::move(finding));
  }
  return out;
}

// What the KeepWide Requests of a finding name; false when it has none.
static bool pin_requests(const Finding& finding, std::vector<Pin>& pins) {
  bool any = false;
  for (const Request& request : finding.requests) {
    const auto* keep = request.as<aegis_keep_wide>(AEGIS_REQUEST_KEEP_WIDE);
    if (!keep) continue;
    any = true;
    if (keep->what == AEGIS_KEEP_VALUE)
      pins.push_back({.node = NodeId::none, .value = ValueId{keep->value.id}, .code = finding.code});
    for (const aegis_node node : sdk::items(keep->region))
      pins.push_back({.node = NodeId{node.id}, .value = ValueId::none, .code = finding.code});
  }
  return any;
}

std::vector<Pin> pins_of(std::span<const Finding> findings) {
  std::vector<Pin> pins;
  for (const Finding& finding : findings) {
    if (!finding.pins || (finding.suppressed && finding.suppressed->by != "baseline")) continue;
    if (pin_requests(finding, pins)) continue;
    const auto pin = [&](const Place& place) {
      if (place.node_id != NodeId::none)
        pins.push_back({.node = place.node_id, .value = ValueId::none, .code = finding.code});
    };
    pin(finding.anchor);
    for (const Place& place : finding.members) pin(place);
    for (const Related& related : finding.related) pin(related.place);
  }
  std::ranges::sort(pins);
  const auto rest = std::ranges::unique(pins);
  pins.erase(rest.begin(), rest.end());
  return pins;
}

}  // namespace aegis::host
