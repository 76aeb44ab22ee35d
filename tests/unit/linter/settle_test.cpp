#include "linter/settle.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

using namespace aegis;
using host::Draft;

static Rule rule_of(std::string code, std::vector<std::string> silences = {}) {
  Rule rule;
  rule.code = std::move(code);
  rule.family = "alignment";
  rule.severity = Severity::warning;
  rule.efficiency = true;
  rule.silences = std::move(silences);
  return rule;
}

static Draft draft_of(const Rule& rule, std::uint32_t node, std::string message = "m", std::uint64_t structure = 7) {
  Draft draft;
  draft.rule = &rule;
  draft.severity = rule.severity;
  draft.anchor = {AEGIS_PLACE_NODE, node};
  draft.members = {{node}};
  draft.message = std::move(message);
  draft.structure = structure;
  return draft;
}

static void add(Draft& draft, std::string key, EvidenceValue value) {
  draft.evidence.push_back({.key = std::move(key), .label = {}, .unit = AEGIS_PLAIN, .value = std::move(value)});
}

TEST_CASE("equal findings of one group fold into the first, with the figures of cost and time summed") {
  const Rule rule = rule_of("AL101");
  std::vector<Draft> drafts{draft_of(rule, 3), draft_of(rule, 5), draft_of(rule, 8, "another"),
                            draft_of(rule, 9, "m", 8)};
  for (Draft& draft : drafts) {
    add(draft, "flops", 10.0);
    add(draft, "ridge", 4.0);
  }
  fold(drafts);
  REQUIRE(drafts.size() == 3);
  CHECK(drafts[0].anchor.id == 3);
  REQUIRE(drafts[0].members.size() == 2);
  CHECK(drafts[0].members[1].id == 5);
  CHECK(std::get<double>(drafts[0].evidence[0].value) == 20);
  CHECK(std::get<double>(drafts[0].evidence[1].value) == 4);
  CHECK(drafts[1].message == "another");
}

TEST_CASE("a sum with an unknown part is unknown") {
  const Rule rule = rule_of("AL101");
  std::vector<Draft> drafts{draft_of(rule, 3), draft_of(rule, 5)};
  add(drafts[0], "flops", 10.0);
  add(drafts[1], "flops", std::monostate{});
  fold(drafts);
  REQUIRE(drafts.size() == 1);
  CHECK(std::holds_alternative<std::monostate>(drafts[0].evidence[0].value));
}

TEST_CASE("the same finding twice at one node is one") {
  const Rule rule = rule_of("PR305");
  std::vector<Draft> drafts{draft_of(rule, 3), draft_of(rule, 3), draft_of(rule, 4)};
  for (Draft& draft : drafts) add(draft, "flops", 10.0);
  fold(drafts);
  REQUIRE(drafts.size() == 1);
  CHECK(drafts[0].members.size() == 2);
  CHECK(std::get<double>(drafts[0].evidence[0].value) == 20);
}

TEST_CASE("the same finding at one node brings the places that it met on another way") {
  const Rule rule = rule_of("PR305");
  std::vector<Draft> drafts{draft_of(rule, 3), draft_of(rule, 3)};
  drafts[0].related.push_back({{AEGIS_PLACE_NODE, 4}, "way", 0});
  drafts[1].related = {{{AEGIS_PLACE_NODE, 4}, "way", 0}, {{AEGIS_PLACE_NODE, 5}, "way", 0}};
  for (Draft& draft : drafts) {
    draft.requests.push_back({.id = "aegis.request.bound_constant/1", .safety = {}, .text = {}, .payload = {}});
    draft.requests.push_back({.id = "aegis.request.keep_wide/1", .safety = {}, .text = {}, .payload = {}});
  }
  fold(drafts);
  REQUIRE(drafts.size() == 1);
  CHECK(drafts[0].related.size() == 2);
  CHECK(drafts[0].requests.size() == 3);
}

TEST_CASE("a finding silences others at its anchor and related nodes, member by member") {
  const Rule loud = rule_of("AL108", {"AL101"}), quiet = rule_of("AL101");
  Draft core = draft_of(loud, 3);
  core.related.push_back({{AEGIS_PLACE_NODE, 4}, "pattern", 0});
  Draft folded = draft_of(quiet, 4);
  folded.members.push_back({6});
  std::vector<Draft> drafts{draft_of(quiet, 3), folded, draft_of(quiet, 9), core};
  silence(drafts);
  REQUIRE(drafts.size() == 3);
  CHECK(drafts[0].anchor.id == 6);
  CHECK(drafts[0].members.size() == 1);
  CHECK(drafts[1].anchor.id == 9);
  CHECK(drafts[2].rule == &loud);
}

TEST_CASE("an efficiency warning that cannot pay is information") {
  const Rule rule = rule_of("AL101");
  LintOptions options;
  const auto settled = [&](double intensity, double gain, double share) {
    Draft draft = draft_of(rule, 1);
    add(draft, "intensity_max", intensity);
    add(draft, "ridge", 100.0);
    add(draft, "time_percent", share);
    draft.gain = aegis_gain{.point = gain};
    settle_severity(draft, options);
    return draft.severity;
  };
  CHECK(settled(60, 1.5, 20) == Severity::warning);
  CHECK(settled(49, 1.5, 20) == Severity::info);
  CHECK(settled(60, 1.05, 20) == Severity::info);
  CHECK(settled(60, 1.5, 0.5) == Severity::info);
  CHECK(settled(std::nan(""), 1.5, 20) == Severity::info);
}

TEST_CASE("what is only possible is information, and the user's level replaces the rule's") {
  const Rule rule = rule_of("AL101");
  LintOptions options;
  Draft possible = draft_of(rule, 1);
  possible.severity = Severity::error;
  possible.certainty = Certainty::possible;
  settle_severity(possible, options);
  CHECK(possible.severity == Severity::info);

  options.severities["AL101"] = Severity::error;
  Draft raised = draft_of(rule, 1);
  settle_severity(raised, options);
  CHECK(raised.severity == Severity::error);
  Draft lowered = draft_of(rule, 1);
  lowered.severity = Severity::info;  // the rule says itself that this one is mild
  settle_severity(lowered, options);
  CHECK(lowered.severity == Severity::info);
}

TEST_CASE("findings of several views merge and list their targets") {
  const Rule rule = rule_of("AL101");
  std::vector<Draft> drafts{draft_of(rule, 1), draft_of(rule, 1), draft_of(rule, 1, "other words")};
  drafts[0].targets = {"a100"};
  drafts[1].targets = {"h100"};
  drafts[1].severity = Severity::error;
  merge_views(drafts);
  REQUIRE(drafts.size() == 2);
  CHECK(drafts[0].targets == std::vector<std::string>{"a100", "h100"});
  CHECK(drafts[0].severity == Severity::error);
}
