#include "cli/config.hpp"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "linter/rule_book.hpp"
#include "run.hpp"

using namespace aegis;

static Result<Config> parse(const std::string& text) {
  return parse_config(text, "aegis.toml", ".", std::make_shared<RuleBook>());
}
static std::string refusal(const std::string& text) {
  auto parsed = parse(text);
  if (parsed) return "";
  CHECK(parsed.error().fault == Fault::usage);
  return parsed.error().where + ": " + parsed.error().message;
}

TEST_CASE("every table of the file is read") {
  auto config = parse(R"(target = ["h100_sxm", "l4"]
runtime = "ort-cuda"
[shapes]
batch = 8
images = [8, 3, 640, 640]
[inputs]
images = [0.0, 1]
[rules]
select = ["AL", "MB"]
AL101 = "error"
MB201.min_time_share = 0.05
[padding]
gate = "off"
multiple = 8
max_tensor_growth = 100
[precision]
keep = ["/decoder/norm*", "a,b"]
[budgets]
cast_count = 40
[[overrides]]
files = ["legacy/**"]
rules.AL101 = "off"
shapes.batch = 1
[[suppress]]
rule = "PR305"
node = "/mask/*"
reason = "mask is clamped upstream"
expires = 2027-06-01
)");
  if (!config) FAIL(config.error().where << ": " << config.error().message);
  const ConfigSection& base = config->base;
  CHECK(base.options.at("target").values == std::vector<std::string>{"h100_sxm", "l4"});
  CHECK(base.options.at("target").origin == "aegis.toml:1");
  CHECK(base.symbols.at("batch") == 8);
  CHECK(base.shapes.at("images") == std::vector<std::int64_t>{8, 3, 640, 640});
  CHECK(base.ranges.at("images") == std::pair(0.0, 1.0));
  CHECK(base.severities.at("AL101") == Severity::error);
  CHECK(std::get<double>(base.rule_options.at("MB201").at("min_time_share")) == 0.05);
  CHECK(base.options.at("padding.gate").values == std::vector<std::string>{"off"});
  CHECK(base.options.at("padding.multiple").values == std::vector<std::string>{"8"});
  CHECK(base.options.at("precision.keep").values == std::vector<std::string>{"/decoder/norm*", "a,b"});
  CHECK(base.budgets.at("cast_count") == 40);
  REQUIRE(config->suppressions.size() == 1);
  CHECK(config->suppressions[0].expires == "2027-06-01");
  CHECK(config->suppressions[0].origin == "aegis.toml:24");

  CHECK(config->for_model("models/net.onnx").severities.at("AL101") == Severity::error);
  const ConfigSection legacy = config->for_model("legacy/old/net.onnx");
  CHECK(legacy.severities.at("AL101") == Severity::off);
  CHECK(legacy.symbols.at("batch") == 1);
  CHECK(legacy.budgets.at("cast_count") == 40);
}

TEST_CASE("a key that nobody knows is an error with its line and the nearest known name") {
  CHECK(refusal("\ntaget = 'a100'\n") == "aegis.toml:2: `taget` is no key, did you mean `target`");
  CHECK(refusal("[padding]\ngates = 'off'\n") == "aegis.toml:2: `gates` is no key of [padding], did you mean `gate`");
  CHECK(refusal("[budgets]\ncast_counts = 4\n") ==
        "aegis.toml:2: `cast_counts` is no key of [budgets], did you mean `cast_count`");
  CHECK(refusal("[rules]\nAL1O1 = 'off'\n") == "aegis.toml:2: `AL1O1` is no rule, did you mean `AL101`");
  CHECK(
      refusal("[rules]\nMB201.min_share = 0.1\n").starts_with("aegis.toml:2: `min_share` is no key of [rules.MB201]"));
  CHECK(refusal("[padding]\nzzzzzz = 1\n").find("known are gate, ") == std::string::npos);
  CHECK(refusal("[padding]\nzzzzzz = 1\n").starts_with("aegis.toml:2: `zzzzzz` is no key of [padding]; known are "));
  CHECK(refusal("[[suppress]]\nrules = 'AL101'\nreason = 'x'\n")
            .starts_with("aegis.toml:2: `rules` is no key of [suppress]"));
}

TEST_CASE("a value of the wrong kind is an error with its line") {
  CHECK(refusal("target = 3\n") == "aegis.toml:1: `target` is a number, expected a text or a list of texts");
  CHECK(refusal("[padding]\ngate = 'of'\n")
            .starts_with("aegis.toml:2: `padding.gate` is `of`, expected one of predicted, off"));
  CHECK(refusal("[padding]\nmultiple = '8'\n") == "aegis.toml:2: `multiple` is a text, expected a number");
  CHECK(refusal("[shapes]\nbatch = -1\n") == "aegis.toml:2: `batch` is -1, expected an extent from 0 on");
  CHECK(refusal("[inputs]\nx = [1, 0]\n") == "aegis.toml:2: `x` is [1, 0], expected the lowest first");
  CHECK(refusal("[rules]\nAL101 = 'eror'\n") ==
        "aegis.toml:2: `AL101` is `eror`, expected off, info, warning or error, did you mean `error`");
  CHECK(refusal("[rules]\nMB201.min_time_share = 3\n") == "aegis.toml:2: `MB201.min_time_share` is 3, expected 0 to 1");
  CHECK(refusal("padding = 3\n") == "aegis.toml:1: `padding` is a number, expected a table");
  CHECK(refusal("[[suppress]]\nrule = 'AL101'\n").starts_with("aegis.toml:1: [[suppress]] has no `reason`"));
  CHECK(refusal("[[overrides]]\nrules.AL101 = 'off'\n").starts_with("aegis.toml:1: [[overrides]] has no `files`"));
  CHECK(refusal("target = \n").starts_with("aegis.toml:1: not TOML: "));
}

TEST_CASE("a file lays itself over the one that it extends") {
  test::Folder folder;
  folder.write("aegis.toml", "target = 'a100'\nfail_on = 'warning'\n[rules]\nAL101 = 'off'\nAL102 = 'off'\n");
  const std::string inner =
      folder.write("models/aegis.toml", "extends = '../aegis.toml'\ntarget = 'l4'\n[rules]\nAL102 = 'error'\n");
  auto config = read_config(inner, std::make_shared<RuleBook>());
  if (!config) FAIL(config.error().message);
  CHECK(config->base.options.at("target").values == std::vector<std::string>{"l4"});
  CHECK(config->base.options.at("fail_on").values == std::vector<std::string>{"warning"});
  CHECK(config->base.severities.at("AL101") == Severity::off);
  CHECK(config->base.severities.at("AL102") == Severity::error);
  CHECK(config->files.size() == 2);

  const std::string circle = folder.write("circle.toml", "extends = 'circle.toml'\n");
  auto endless = read_config(circle, std::make_shared<RuleBook>());
  REQUIRE(!endless);
  CHECK(endless.error().message.find("is it a circle") != std::string::npos);
  CHECK(!read_config(folder.file("absent.toml"), std::make_shared<RuleBook>()));
}

TEST_CASE("the nearest file counts, and the search ends at a git root and at home") {
  test::Folder folder;
  folder.write("aegis.toml", "");
  folder.write("repo/sub/deep/x", "");
  CHECK(find_config(folder.file("repo/sub/deep"), nullptr) == folder.file("aegis.toml"));
  CHECK(find_config(folder.file("repo/sub/deep"), folder.file("repo/sub").c_str()).empty());
  std::filesystem::create_directory(folder.file("repo/.git"));
  CHECK(find_config(folder.file("repo/sub/deep"), nullptr).empty());
  folder.write("repo/aegis.toml", "");
  CHECK(find_config(folder.file("repo/sub/deep"), nullptr) == folder.file("repo/aegis.toml"));
}

TEST_CASE("path globs: a star stays in its folder, two cross folders, a bare name matches anywhere") {
  CHECK(path_matches("*.onnx", "a/b/net.onnx"));
  CHECK(path_matches("legacy/**", "legacy/a/b.onnx"));
  CHECK(path_matches("**/net.onnx", "net.onnx"));
  CHECK(path_matches("**/net.onnx", "a/b/net.onnx"));
  CHECK(path_matches("a/*/c.onnx", "a/b/c.onnx"));
  CHECK(!path_matches("a/*/c.onnx", "a/b/d/c.onnx"));
  CHECK(!path_matches("a/*.onnx", "b/a/x.onnx"));
  CHECK(path_matches("net-?.onnx", "net-1.onnx"));
}
