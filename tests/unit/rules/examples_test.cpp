// Every rule's own examples, one test a rule, by name: a bad example gives `expect` findings of the rule and nothing
// else, a good one none.
#include <catch2/catch_test_macros.hpp>
#include <catch2/internal/catch_test_registry.hpp>
#include <string>
#include <vector>

#include "exec/run.hpp"
#include "linter/examples.hpp"
#include "linter/rules.hpp"

using namespace aegis;

static void run(const Rule& rule, const RuleExample& example, int expect) {
  INFO(rule.code << ' ' << rule.name << ": " << example.text);
  const CpuEvaluator evaluator;
  const auto result = run_example(rule, example, &evaluator);
  if (!result) FAIL(result.error().message << " (" << result.error().where << ')');
  std::string found;
  for (const Finding& finding : result->findings) found += "\n  " + finding.code + " " + finding.message;
  INFO("found:" << found);
  CHECK(static_cast<int>(result->findings.size()) == expect);
  for (const Finding& finding : result->findings) {
    CHECK(finding.code == rule.code);
    for (const Request& request : finding.requests) {
      CHECK(rule.safety.has_value());
      CHECK(request.payload != nullptr);
      CHECK_FALSE(request.text.empty());
    }
  }
}

namespace {

class RuleTest final : public Catch::ITestInvoker {
 public:
  explicit RuleTest(const Rule& rule) : rule_(&rule) {}
  void invoke() const override {
    CHECK_FALSE(rule_->doc.empty());
    CHECK_FALSE(rule_->bad.empty());
    CHECK_FALSE(rule_->good.empty());
    for (const RuleExample& example : rule_->bad) run(*rule_, example, example.expect);
    for (const RuleExample& example : rule_->good) run(*rule_, example, 0);
  }

 private:
  const Rule* rule_;
};

const bool registered = [] {
  for (const Rule& rule : rules()) {
    const std::string test = rule.code + " " + rule.name;
    Catch::AutoReg(Catch::Detail::unique_ptr<Catch::ITestInvoker>(new RuleTest(rule)), CATCH_INTERNAL_LINEINFO,
                   Catch::StringRef(), Catch::NameAndTags(test));
  }
  return true;
}();

}  // namespace

TEST_CASE("every rule has a test of its own") { CHECK(registered); }
