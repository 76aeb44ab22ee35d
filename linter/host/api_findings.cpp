// The functions of the plugin line that take findings. Nothing here trusts its caller: wrong ids, null pointers,
// shorter structs and too many of anything are answered with a status.
#include "linter/host/api_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "linter/abi.hpp"
#include "linter/host/context.hpp"
#include "linter/host/keep.hpp"
#include "linter/request_copy.hpp"

namespace aegis::host {

namespace {

// A struct of the caller, as long as both sides know it; the rest keeps its defaults.
template <class T>
bool take(const T* from, T& into) {
  if (!from || from->struct_size < sizeof(std::uint32_t)) return false;
  std::memcpy(&into, from, std::min<std::size_t>(from->struct_size, sizeof(T)));
  into.struct_size = sizeof(T);
  return true;
}

Draft* draft_of(aegis_cx* cx, aegis_finding finding) {
  return cx && finding.id < cx->drafts.size() ? &cx->drafts[finding.id] : nullptr;
}

// Cuts at the limit, never inside a UTF-8 sequence.
std::string message_of(std::string_view text) {
  if (text.size() <= max_message) return std::string(text);
  std::size_t size = max_message;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0u) == 0x80u) --size;
  return std::string(text.substr(0, size));
}

std::string_view text_of(aegis_str text) { return text.data ? abi::view(text) : std::string_view(); }

bool exists(const aegis_cx& cx, aegis_place place) {
  switch (place.kind) {
    case AEGIS_PLACE_MODEL: return true;
    case AEGIS_PLACE_SCOPE: return cx.view.graph().scope({place.id}) != nullptr;
    case AEGIS_PLACE_NODE: return cx.view.graph().node({place.id}) != nullptr;
    case AEGIS_PLACE_VALUE: return cx.view.graph().value({place.id}) != nullptr;
    case AEGIS_PLACE_GROUP: return !cx.view.members({place.id}).empty();
    default: return false;
  }
}

// The node that a place is about: itself, or the producer of a value.
aegis_node node_of(const aegis_cx& cx, aegis_place place) {
  if (place.kind == AEGIS_PLACE_NODE) return {place.id};
  if (place.kind == AEGIS_PLACE_VALUE) return cx.view.graph().value({place.id})->producer;
  return {AEGIS_NONE};
}

aegis_finding report(aegis_cx* cx, const aegis_report* given) {
  aegis_report report;
  if (!cx || !take(given, report)) return {AEGIS_NONE};
  if (!exists(*cx, report.anchor)) {
    cx->note("a finding names a place that is not there");
    return {AEGIS_NONE};
  }
  if (cx->late() || report.severity > AEGIS_ERROR || report.certainty > AEGIS_SEEN) return {AEGIS_NONE};
  Draft draft;
  draft.rule = &cx->rule;
  draft.severity = report.severity == AEGIS_SEVERITY_DEFAULT ? cx->rule.severity : abi::severity(report.severity);
  draft.certainty = static_cast<Certainty>(report.certainty);
  draft.anchor = report.anchor;
  if (report.anchor.kind == AEGIS_PLACE_GROUP) {
    const auto members = cx->view.members({report.anchor.id});
    draft.members.assign(members.begin(), members.end());
    draft.anchor = {AEGIS_PLACE_NODE, members.front().id};
  } else if (report.anchor.kind == AEGIS_PLACE_NODE) {
    draft.members = {{report.anchor.id}};
  }
  draft.message = message_of(text_of(report.message));
  draft.structure = cx->view.structure(node_of(*cx, draft.anchor));
  cx->drafts.push_back(std::move(draft));
  return {static_cast<std::uint32_t>(cx->drafts.size() - 1)};
}

aegis_status evidence(aegis_cx* cx, aegis_finding finding, const aegis_evidence* given) {
  Draft* draft = draft_of(cx, finding);
  aegis_evidence evidence;
  if (!draft || !take(given, evidence) || text_of(evidence.key).empty()) return AEGIS_INVALID;
  if (draft->evidence.size() >= max_evidence) return AEGIS_LIMIT;
  DraftEvidence out{.key = std::string(text_of(evidence.key)),
                    .label = std::string(text_of(evidence.label)),
                    .unit = evidence.unit,
                    .value = {}};
  switch (evidence.kind) {
    case AEGIS_EVIDENCE_NUMBER:
      if (!std::isnan(evidence.number)) out.value = evidence.number;
      break;
    case AEGIS_EVIDENCE_INT: out.value = evidence.integer; break;
    case AEGIS_EVIDENCE_TEXT: out.value = message_of(text_of(evidence.text)); break;
    case AEGIS_EVIDENCE_BOOL: out.value = evidence.integer != 0; break;
    case AEGIS_EVIDENCE_NULL: break;
    default: return AEGIS_INVALID;
  }
  draft->evidence.push_back(std::move(out));
  return AEGIS_OK;
}

aegis_status gain(aegis_cx* cx, aegis_finding finding, const aegis_gain* given) {
  Draft* draft = draft_of(cx, finding);
  aegis_gain gain;
  if (!draft || !take(given, gain) || gain.confidence > AEGIS_CONFIDENCE_HIGH) return AEGIS_INVALID;
  draft->gain = gain;
  return AEGIS_OK;
}

aegis_status advise(aegis_cx* cx, aegis_finding finding, aegis_str advice) {
  Draft* draft = draft_of(cx, finding);
  if (!draft || text_of(advice).empty()) return AEGIS_INVALID;
  if (draft->advice.size() >= max_requests) return AEGIS_LIMIT;
  draft->advice.push_back(message_of(text_of(advice)));
  return AEGIS_OK;
}

aegis_status relate(aegis_cx* cx, aegis_finding finding, aegis_place place, aegis_str role, double bytes) {
  Draft* draft = draft_of(cx, finding);
  if (!draft || !exists(*cx, place) || place.kind == AEGIS_PLACE_GROUP) return AEGIS_INVALID;
  const auto there = [&](const DraftRelated& other) {
    return other.place.kind == place.kind && other.place.id == place.id && other.role == text_of(role);
  };
  if (std::ranges::any_of(draft->related, there)) return AEGIS_OK;
  if (draft->related.size() >= max_related) return AEGIS_LIMIT;
  draft->related.push_back({place, std::string(text_of(role)), bytes});
  return AEGIS_OK;
}

// The copy of a KeepWide with its nodes written out in `region`, so that whoever reads it needs no graph; null when it
// names nothing that is there.
std::shared_ptr<const void> written_out(const aegis_cx& cx, const void* payload) {
  auto copy = copy_request(AEGIS_REQUEST_KEEP_WIDE, payload);
  aegis_keep_wide keep = *static_cast<const aegis_keep_wide*>(copy.get());
  if (keep.what == AEGIS_KEEP_VALUE) return cx.view.graph().value(keep.value) ? copy : nullptr;
  const std::vector<aegis_node> nodes = kept_nodes(cx.view, keep);
  if (nodes.empty()) return nullptr;
  keep.region = {nodes.data(), nodes.size()};
  return copy_request(AEGIS_REQUEST_KEEP_WIDE, &keep);
}

aegis_status request(aegis_cx* cx, aegis_finding finding, const char* id, const void* payload, aegis_safety given) {
  Draft* draft = draft_of(cx, finding);
  const auto safety = abi::safety(given);
  if (!draft || !id || !payload || !safety) return AEGIS_INVALID;
  if (!request_safety(id)) return AEGIS_UNSUPPORTED;
  if (draft->requests.size() >= max_requests) return AEGIS_LIMIT;
  if (!cx->rule.safety || *safety > *cx->rule.safety) {
    cx->note(fmt::format("{} asks for {} above the safety that it declares", cx->rule.code, id));
    return AEGIS_INVALID;
  }
  const bool keeps = std::string_view(id) == AEGIS_REQUEST_KEEP_WIDE;
  auto copy = keeps ? written_out(*cx, payload) : copy_request(id, payload);
  if (!copy) return AEGIS_INVALID;
  draft->requests.push_back({.id = id, .safety = *safety, .text = {}, .payload = std::move(copy)});
  return AEGIS_OK;
}

}  // namespace

void fill_findings(aegis_api& api) {
  api.report = report;
  api.evidence = evidence;
  api.gain = gain;
  api.advise = advise;
  api.relate = relate;
  api.request = request;
}

}  // namespace aegis::host
