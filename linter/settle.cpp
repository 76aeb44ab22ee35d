#include "linter/settle.hpp"

#include <aegis/requests.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace aegis {

using host::Draft;
using host::DraftEvidence;

static std::set<std::uint32_t> nodes_of(const Draft& draft) {
  std::set<std::uint32_t> out;
  if (draft.anchor.kind == AEGIS_PLACE_NODE) out.insert(draft.anchor.id);
  for (const aegis_node node : draft.members) out.insert(node.id);
  for (const auto& related : draft.related) {
    if (related.place.kind == AEGIS_PLACE_NODE) out.insert(related.place.id);
  }
  return out;
}

// True when nothing of the draft is left.
static bool remove_nodes(Draft& draft, const std::set<std::uint32_t>& silenced) {
  if (draft.anchor.kind != AEGIS_PLACE_NODE) return false;
  std::erase_if(draft.members, [&](aegis_node node) { return silenced.contains(node.id); });
  if (!silenced.contains(draft.anchor.id)) return false;
  if (draft.members.empty()) return true;
  draft.anchor.id = draft.members.front().id;
  return false;
}

void silence(std::vector<Draft>& drafts) {
  std::map<std::string, std::set<std::uint32_t>, std::less<>> silenced;  // code -> nodes
  for (const Draft& draft : drafts) {
    for (const std::string& code : draft.rule->silences) silenced[code].merge(nodes_of(draft));
  }
  std::erase_if(drafts, [&](Draft& draft) {
    const auto nodes = silenced.find(draft.rule->code);
    return nodes != silenced.end() && remove_nodes(draft, nodes->second);
  });
}

static bool is_sum(std::string_view key) {
  static constexpr std::array<std::string_view, 6> sums{"flops",       "bytes_min",   "bytes_op_by_op",
                                                        "time_us_min", "time_us_max", "time_percent"};
  return std::ranges::find(sums, key) != sums.end();
}

static void add_evidence(Draft& into, const Draft& from) {
  for (std::size_t i = 0; i < into.evidence.size(); ++i) {
    DraftEvidence& sum = into.evidence[i];
    if (!is_sum(sum.key)) continue;
    auto* left = std::get_if<double>(&sum.value);
    const auto* right = std::get_if<double>(&from.evidence[i].value);
    if (left && right) {
      *left += *right;
    } else {
      sum.value = std::monostate{};  // one part is unknown, so the sum is
    }
  }
}

static std::string fold_key(const Draft& draft) {
  std::string key = draft.rule->code + '\0' + std::to_string(draft.structure) + '\0' + draft.message + '\0';
  key += std::to_string(static_cast<int>(draft.severity)) + std::to_string(static_cast<int>(draft.certainty));
  if (draft.suppression) key += " suppressed " + std::to_string(*draft.suppression);
  for (const DraftEvidence& e : draft.evidence) key += '\0' + e.key + '\1' + e.label;
  for (const Request& request : draft.requests) key += '\2' + request.id;
  return key;
}

// The same finding at the same node again, met on another way: only the places that it keeps wide are news.
static void add_places(Draft& into, Draft& from) {
  for (host::DraftRelated& related : from.related) {
    const auto there = [&](const host::DraftRelated& other) {
      return other.place.kind == related.place.kind && other.place.id == related.place.id && other.role == related.role;
    };
    if (std::ranges::none_of(into.related, there)) into.related.push_back(std::move(related));
  }
  for (Request& request : from.requests) {
    if (request.id == AEGIS_REQUEST_KEEP_WIDE) into.requests.push_back(std::move(request));
  }
}

void fold(std::vector<Draft>& drafts) {
  std::map<std::string, std::size_t> first;  // key -> index among the kept
  std::vector<Draft> kept;
  kept.reserve(drafts.size());
  for (Draft& draft : drafts) {
    if (draft.structure == 0 || draft.anchor.kind != AEGIS_PLACE_NODE) {
      kept.push_back(std::move(draft));
      continue;
    }
    const auto [at, fresh] = first.try_emplace(fold_key(draft), kept.size());
    if (fresh) {
      kept.push_back(std::move(draft));
      continue;
    }
    Draft& into = kept[at->second];
    if (std::ranges::find(into.members, draft.anchor.id, &aegis_node::id) != into.members.end()) {
      add_places(into, draft);
      continue;
    }
    add_evidence(into, draft);
    into.members.insert(into.members.end(), draft.members.begin(), draft.members.end());
    into.related.insert(into.related.end(), std::make_move_iterator(draft.related.begin()),
                        std::make_move_iterator(draft.related.end()));
    into.requests.insert(into.requests.end(), draft.requests.begin(), draft.requests.end());
  }
  drafts = std::move(kept);
}

static double number(const Draft& draft, std::string_view key) {
  const auto e = std::ranges::find(draft.evidence, key, &DraftEvidence::key);
  const double* value = e == draft.evidence.end() ? nullptr : std::get_if<double>(&e->value);
  return value ? *value : std::nan("");
}

static bool has(const Draft& draft, std::string_view key) {
  return std::ranges::find(draft.evidence, key, &DraftEvidence::key) != draft.evidence.end();
}

// efficiency.md's conventions: a warning needs a product that is worth padding and a share of the time that shows.
static bool cannot_pay(const Draft& draft, const LintOptions& options) {
  if (draft.rule->family == "alignment") {
    if (has(draft, "intensity_max") && !(number(draft, "intensity_max") >= 0.5 * number(draft, "ridge"))) return true;
    if (draft.gain && !(draft.gain->point >= 1.10)) return true;
  }
  if (has(draft, "time_percent") && !(number(draft, "time_percent") >= 1)) return true;
  const bool fusing = options.runtime == Runtime::any || options.runtime == Runtime::tensorrt;
  return fusing && draft.gain && draft.gain->regime == AEGIS_REGIME_OP;
}

void settle_severity(Draft& draft, const LintOptions& options) {
  Severity severity = draft.severity;
  if (draft.certainty == Certainty::possible) severity = std::min(severity, Severity::info);
  if (draft.rule->efficiency && severity == Severity::warning && cannot_pay(draft, options)) severity = Severity::info;
  if (const auto level = options.severities.find(draft.rule->code); level != options.severities.end()) {
    severity = severity >= draft.rule->severity ? level->second : std::min(severity, level->second);
  }
  draft.severity = severity;
}

void merge_views(std::vector<Draft>& drafts) {
  std::map<std::tuple<const Rule*, std::uint32_t, std::uint32_t, std::string>, std::size_t> first;
  std::vector<Draft> kept;
  kept.reserve(drafts.size());
  const auto add = [](std::vector<std::string>& into, const std::vector<std::string>& from) {
    for (const std::string& text : from) {
      if (std::ranges::find(into, text) == into.end()) into.push_back(text);
    }
  };
  for (Draft& draft : drafts) {
    const auto [at, fresh] =
        first.try_emplace({draft.rule, draft.anchor.kind, draft.anchor.id, draft.message}, kept.size());
    if (fresh) {
      kept.push_back(std::move(draft));
      continue;
    }
    Draft& into = kept[at->second];
    into.severity = std::max(into.severity, draft.severity);
    add(into.targets, draft.targets);
    add(into.as, draft.as);
  }
  drafts = std::move(kept);
}

}  // namespace aegis
