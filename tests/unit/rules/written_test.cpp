// What a rule says of a model it says of the file that is written from it, wherever the weights lie there.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>
#include <string_view>

#include "exec/run.hpp"
#include "linter/examples.hpp"
#include "linter/rules.hpp"
#include "model/load.hpp"
#include "model/save.hpp"
#include "tests/unit/model/folder.hpp"

namespace aegis {
namespace {

std::string told(const Model& model, const Target& target) {
  LintOptions options;
  options.targets = {&target};
  options.weights = true;
  const CpuEvaluator evaluator;
  options.evaluator = &evaluator;
  Binding binding;
  binding.assume = true;
  const auto result = lint(model, binding, options);
  REQUIRE(result);
  std::string text;
  for (const Finding& finding : result->findings)
    text += finding.code + ' ' + finding.message + ' ' + finding.fingerprint + '\n';
  return text;
}

}  // namespace

TEST_CASE("findings are those of the file that is written, with weights inside and outside") {
  const auto devices = DeviceTable::builtin();
  REQUIRE(devices);
  const auto target = devices->find("a100_sxm_80");
  REQUIRE(target);
  const test::Folder folder;
  std::size_t with_data = 0;
  for (const Rule& rule : rules()) {
    for (const RuleExample& example : rule.bad) {
      if (std::string_view(example.text).find("location") != std::string_view::npos)
        continue;  // its weights are nowhere
      INFO(rule.code << ' ' << rule.name << ": " << example.text);
      const auto model = example_model(example);
      REQUIRE(model);
      const std::string before = told(*model, *target);
      for (const auto where : {ExternalData::never, ExternalData::always}) {
        const std::string path = (folder.path / "m.onnx").string();
        const auto saved = save(*model, path, {.overwrite = Overwrite::yes, .external_data = where});
        REQUIRE(saved);
        with_data += saved->data_files.size();
        const auto again = load(path);
        REQUIRE(again);
        CHECK(told(*again, *target) == before);
      }
    }
  }
  CHECK(with_data > 0);
}

}  // namespace aegis
