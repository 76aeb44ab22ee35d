// What a rule has reported, before folding, silencing and naming: places by id, evidence in the order in which it came.
#pragma once

#include <aegis/aegis.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "linter/lint.hpp"
#include "linter/rules.hpp"

namespace aegis::host {

struct DraftEvidence {
  std::string key, label;  // the key without its unit
  aegis_quantity unit = AEGIS_PLAIN;
  EvidenceValue value;
};

struct DraftRelated {
  aegis_place place{};
  std::string role;
  double bytes = 0;  // NaN: none
};

struct Draft {
  const Rule* rule = nullptr;
  Severity severity = Severity::info;
  Certainty certainty = Certainty::unstated;
  aegis_place anchor{};             // MODEL, SCOPE, NODE or VALUE; a GROUP is its first member
  std::vector<aegis_node> members;  // the equal nodes that the finding stands for, the anchor first
  std::string message;
  std::vector<DraftEvidence> evidence;
  std::vector<DraftRelated> related;
  std::vector<std::string> advice;
  std::vector<Request> requests;
  std::optional<aegis_gain> gain;
  std::uint64_t structure = 0;             // hash of the anchor's structural group; 0: none
  std::optional<std::size_t> suppression;  // index into what Suppressor::all() gives
  std::vector<std::string> targets, as;
};

// The limits of the plugin line on one finding.
inline constexpr std::size_t max_evidence = 64, max_related = 64, max_requests = 8, max_message = 1024;

}  // namespace aegis::host
