#include "linter/selection.hpp"
#include "linter/rule_book.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

using namespace aegis;

static bool runs(const LintOptions& options, std::string_view code) {
  return std::ranges::any_of(selected_rules(options), [&](const Rule* rule) { return rule->code == code; });
}

TEST_CASE("the stable set runs by default, the rest under preview or by its full code") {
  LintOptions options;
  CHECK(runs(options, "AL101"));
  CHECK_FALSE(runs(options, "PR319"));
  options.preview = true;
  CHECK(runs(options, "PR319"));
  options.preview = false;
  options.select = {"PR"};
  CHECK(runs(options, "PR301"));
  CHECK_FALSE(runs(options, "PR319"));
  CHECK_FALSE(runs(options, "AL101"));
  options.select = {"PR319"};
  CHECK(runs(options, "PR319"));
  CHECK_FALSE(runs(options, "PR301"));
}

TEST_CASE("ignore and level off win; a level switches a rule on") {
  LintOptions options;
  options.ignore = {"AL10"};
  CHECK_FALSE(runs(options, "AL101"));
  CHECK(runs(options, "MB201"));
  options = {};
  options.severities["PR319"] = Severity::warning;
  options.severities["AL101"] = Severity::off;
  CHECK(runs(options, "PR319"));
  CHECK_FALSE(runs(options, "AL101"));
}

TEST_CASE("a recast listens to every rule that pins, whatever is shown") {
  LintOptions options;
  options.select = {"AL"};
  options.ignore = {"PR318"};
  const auto pins = pinning_rules(options);
  const auto has = [&](std::string_view code) {
    return std::ranges::any_of(pins, [&](const Rule* rule) { return rule->code == code; });
  };
  CHECK(has("PR319"));
  CHECK_FALSE(has("PR318"));
  CHECK_FALSE(has("AL101"));
}

static std::string problem(const LintOptions& options) {
  const auto checked = check_options(options);
  return checked ? "" : checked.error().where + ": " + checked.error().message;
}

TEST_CASE("unknown codes, options and values are errors that name the nearest") {
  LintOptions options;
  CHECK(problem(options).empty());
  options.select = {"AL", "PR305", "PR3"};
  CHECK(problem(options).empty());
  options.select = {"AL1O1"};
  CHECK(problem(options) ==
        "select: no rule has the code or prefix `AL1O1`, did you mean `AL101`; `aegis rules` lists them");
  options = {};
  options.severities["AL99"] = Severity::info;
  CHECK(problem(options).starts_with("rules: no rule has the code `AL99`"));
  options = {};
  options.options["MB201"]["min_tme_share"] = 0.1;
  CHECK(problem(options) ==
        "MB201.min_tme_share: MB201 memory_bound_gemm has no option `min_tme_share`, did you mean `min_time_share`; "
        "`aegis explain MB201` lists its options");
  options.options = {};
  options.options["MB201"]["min_time_share"] = std::string("much");
  CHECK(problem(options) == "MB201.min_time_share: the option is a text, expected a number");
  options.options["MB201"]["min_time_share"] = 3.0;
  CHECK(problem(options) == "MB201.min_time_share: the option is 3, expected 0 to 1");
  options.options = {};
  options.suppressions.push_back(
      {.rule = "PR305", .node = "/mask/*", .reason = "", .expires = "", .origin = "aegis.toml:4"});
  CHECK(problem(options) ==
        "aegis.toml:4: the suppression of PR305 at `/mask/*` has no reason, expected one: say why it may stay");
}

TEST_CASE("an option is the user's value, a budget, or the default") {
  const Rule* rule = book_of({}).find("MB201");
  REQUIRE(rule);
  REQUIRE(rule->options.size() == 1);
  LintOptions options;
  CHECK(std::get<double>(option_setting(*rule, rule->options[0], options).value) == 0.05);
  options.options["MB201"]["min_time_share"] = 0.2;
  const OptionSetting setting = option_setting(*rule, rule->options[0], options);
  CHECK(setting.set);
  CHECK(std::get<double>(setting.value) == 0.2);

  RuleOption budgeted = rule->options[0];
  budgeted.budget = "casts";
  options = {};
  options.budgets["casts"] = 7;
  CHECK(std::get<double>(option_setting(*rule, budgeted, options).value) == 7);
}
