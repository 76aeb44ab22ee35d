// Rules that misbehave: the run goes on, and what happened is a finding.
#include <aegis/rule.hpp>
#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <string>

#include "linter/host/run.hpp"
#include "model/load.hpp"

using namespace aegis;

namespace {

void throws(sdk::Context& cx, sdk::Node node) {
  cx.finding(node).message("found before the fault");
  if (cx.is(node, "Neg")) throw std::runtime_error("a broken rule");
}
void loud(sdk::Context& cx, sdk::Node node) { cx.finding(node).message("node {}", node.id.id); }
void undeclared(sdk::Context& cx, sdk::Node node) {
  if (!cx.fact<aegis_cost>(node)) cx.finding(node).message("no fact").advise("");
}
void greedy(sdk::Context& cx, sdk::Node node) {
  cx.finding(node).message("asks for too much").request(sdk::ChooseType{.dtype = 16}, sdk::Safety::lossy);
}
void wordy(sdk::Context& cx, sdk::Node node) {
  auto found = cx.finding(node).message("many numbers");
  for (int i = 0; i < 200; ++i) found.evidence("n", AEGIS_ROWS, i);
}
// A text longer than any string: copying it throws inside the host.
aegis_status absurd(const aegis_api* api, aegis_cx* cx, const aegis_unit*) {
  api->log(cx, AEGIS_INFO, {"x", std::uint64_t{1} << 63});
  return AEGIS_OK;
}
aegis_status foreign(const aegis_api*, aegis_cx*, const aegis_unit*) { throw std::runtime_error("thrown through C"); }
void misplaced(sdk::Context& cx) { cx.finding(aegis_node{4000000}).message("nowhere"); }

constexpr const char* text = "g (float[4] x) => (float[4] y) { a = Relu(x)  b = Neg(a)  y = Relu(b) }";

struct Bench {
  Model model;
  TypeTable types;
  Target target;
  FactTable facts;
  host::ViewState view;

  static Target device() { return *DeviceTable::builtin()->find("a100_sxm_80"); }
  Bench()
      : model(*parse_text(text)),
        types(infer(model, {})),
        target(device()),
        facts(model, types, target, View{}),
        view(facts) {}

  host::Outcome run(const aegis_rule& rule, LintOptions options = {}) const {
    static Rule read;
    read = read_rule({"under_test", &rule});
    return host::run_rule(read, view, options, Suppressor(model, options));
  }
};

}  // namespace

TEST_CASE("a rule that throws loses the unit's findings, ends, and is reported as PK801") {
  static constexpr aegis_rule rule = {.code = "XX001", .check = sdk::entry<throws>};
  const auto out = Bench().run(rule);
  REQUIRE(out.drafts.size() == 2);
  CHECK(out.drafts[0].message == "found before the fault");
  CHECK(out.drafts[0].members.size() == 1);
  CHECK(out.drafts[1].rule->code == "PK801");
  CHECK(out.drafts[1].severity == Severity::error);
  CHECK(out.drafts[1].message == "XX001 under_test failed and was ended for this file: a broken rule");
}

TEST_CASE("what throws inside the host ends the rule, not the program") {
  static constexpr aegis_rule rule = {.code = "XX001", .check = absurd};
  const auto out = Bench().run(rule);
  REQUIRE(out.drafts.size() == 1);
  CHECK(out.drafts[0].rule->code == "PK801");
}

TEST_CASE("a check that throws through the plugin line ends the rule, not the program") {
  static constexpr aegis_rule rule = {.code = "XX001", .check = foreign};
  const auto out = Bench().run(rule);
  REQUIRE(out.drafts.size() == 1);
  CHECK(out.drafts[0].message == "XX001 under_test failed and was ended for this file: thrown through C");
}

TEST_CASE("a check of another unit than the rule's is refused") {
  static constexpr aegis_rule rule = {.code = "XX001", .unit = AEGIS_UNIT_MODEL, .check = sdk::entry<loud>};
  const auto out = Bench().run(rule);
  REQUIRE(out.drafts.size() == 1);
  CHECK(out.drafts[0].rule->code == "PK801");
}

TEST_CASE("findings above the limit are counted, not listed") {
  static constexpr aegis_rule rule = {.code = "XX001", .check = sdk::entry<loud>};
  LintOptions options;
  options.max_findings = 2;
  const auto out = Bench().run(rule, options);
  REQUIRE(out.drafts.size() == 3);
  CHECK(out.drafts[2].rule->code == "PK802");
  CHECK(out.drafts[2].severity == Severity::info);
  CHECK(out.drafts[2].message == "XX001 under_test has 1 findings more than the limit of 2: they are not listed");
}

TEST_CASE("a rule that takes longer than its time is ended and reported as PK802") {
  static constexpr aegis_rule rule = {.code = "XX001", .check = sdk::entry<loud>};
  LintOptions options;
  options.rule_time = std::chrono::seconds(0);
  const auto out = Bench().run(rule, options);
  REQUIRE(out.drafts.size() == 1);
  CHECK(out.drafts[0].rule->code == "PK802");
  CHECK(out.drafts[0].message ==
        "XX001 under_test took longer than 0 s and was stopped: its findings are not complete");
}

TEST_CASE("a file whose time is up is one PK802 finding, not one for each rule") {
  const Bench bench;
  LintOptions options;
  options.targets = {&bench.target};
  options.file_time = std::chrono::seconds(0);
  options.threads = 3;
  const auto result = lint(bench.model, {}, options);
  REQUIRE(result);
  REQUIRE(result->findings.size() == 1);
  CHECK(result->findings[0].code == "PK802");
  CHECK(result->findings[0].severity == Severity::error);
  CHECK(result->findings[0].message.find("took longer than 0 s") != std::string::npos);
  CHECK(result->findings[0].message.find("did not end") != std::string::npos);
}

TEST_CASE("an undeclared fact is absent and logged") {
  static constexpr aegis_rule rule = {.code = "XX001", .check = sdk::entry<undeclared>};
  const auto out = Bench().run(rule);
  CHECK(out.drafts.size() == 3);
  CHECK(out.log.front() == "XX001 asks for aegis.fact.cost/1, which its facts do not name");
}

TEST_CASE("a Request above the rule's safety is refused and logged, the finding stays") {
  static constexpr aegis_rule rule = {.code = "XX001", .safety = AEGIS_CLOSE, .check = sdk::entry<greedy>};
  const auto out = Bench().run(rule);
  REQUIRE(out.drafts.size() == 3);
  CHECK(out.drafts[0].requests.empty());
  CHECK(out.log.front() == "XX001 asks for aegis.request.choose_type/1 above the safety that it declares");
}

TEST_CASE("evidence ends at its limit") {
  static constexpr aegis_rule rule = {.code = "XX001", .check = sdk::entry<wordy>};
  const auto out = Bench().run(rule);
  CHECK(out.drafts[0].evidence.size() == host::max_evidence);
}

TEST_CASE("a finding at a place that is not there is none") {
  static constexpr aegis_rule rule = {.code = "XX001", .unit = AEGIS_UNIT_MODEL, .check = sdk::entry<misplaced>};
  const auto out = Bench().run(rule);
  CHECK(out.drafts.empty());
  CHECK(out.log.front() == "a finding names a place that is not there");
}

TEST_CASE("wrong arguments are answered, not followed") {
  const aegis_api& api = host::api();
  CHECK(api.model(nullptr) == nullptr);
  CHECK(api.nodes(nullptr, {}).count == 0);
  CHECK(api.fact(nullptr, AEGIS_FACT_COST, {}, nullptr) == nullptr);
  CHECK(api.report(nullptr, nullptr).id == AEGIS_NONE);
  CHECK(api.evidence(nullptr, {0}, nullptr) == AEGIS_INVALID);
  CHECK(api.divides(nullptr, {}, 0) == AEGIS_UNKNOWN);
  CHECK(api.get_extension("anything") == nullptr);
}
