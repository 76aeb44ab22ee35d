#include "cli/parse.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace aegis;

static Result<Arguments> parse(std::vector<std::string> words) { return parse_arguments(words); }
static std::string refusal(std::vector<std::string> words) {
  auto parsed = parse(std::move(words));
  if (parsed) return "";
  CHECK(parsed.error().fault == Fault::usage);
  return parsed.error().message;
}

TEST_CASE("words become a verb, operands and options") {
  auto parsed = parse({"rewrite", "net.onnx", "-o", "out.onnx", "--pad", "--keep", "/a/*", "--keep", "b", "--bf16"});
  REQUIRE(parsed);
  CHECK(parsed->command->name == "rewrite");
  CHECK(parsed->operands == std::vector<std::string>{"net.onnx"});
  CHECK(parsed->options.at("output") == std::vector<std::string>{"out.onnx"});
  CHECK(parsed->options.at("keep") == std::vector<std::string>{"/a/*", "b"});
  CHECK(parsed->options.at("bf16") == std::vector<std::string>{"true"});
  CHECK(!parsed->options.contains("fp16"));
}

TEST_CASE("an option that may stand alone does not swallow the next word") {
  auto alone = parse({"rewrite", "--pad", "net.onnx", "--dry-run"});
  REQUIRE(alone);
  CHECK(alone->operands == std::vector<std::string>{"net.onnx"});
  CHECK(alone->options.contains("pad"));
  auto valued = parse({"rewrite", "--pad=always", "net.onnx", "--dry-run"});
  REQUIRE(valued);
  CHECK(valued->options.at("pad") == std::vector<std::string>{"always"});
}

TEST_CASE("a value may begin with the words of a file name or a minus") {
  auto parsed = parse({"lint", "--range", "x=-1:1", "--shapes", "x:1x2", "--", "-odd.onnx"});
  REQUIRE(parsed);
  CHECK(parsed->operands == std::vector<std::string>{"-odd.onnx"});
  CHECK(parsed->options.at("range") == std::vector<std::string>{"x=-1:1"});
  auto input = parse({"lint", "-", "--format", "json"});
  REQUIRE(input);
  CHECK(input->operands == std::vector<std::string>{"-"});
}

TEST_CASE("what is unknown is answered with the nearest known") {
  CHECK(refusal({"lnt", "x"}) == "`lnt` is no command of aegis, did you mean `lint`; `aegis --help` lists them");
  CHECK(refusal({"lint", "x", "--taget", "a100"}) ==
        "`--taget` is no option, did you mean `--target`; `aegis lint --help` lists its options");
  CHECK(refusal({"lint", "x", "--bf16"}).starts_with("`--bf16` is no option of `aegis lint`"));
  CHECK(refusal({}).starts_with("no command was given"));
}

TEST_CASE("operands are counted") {
  CHECK(refusal({"rewrite"}).starts_with("`aegis rewrite` got 0 operands, expected MODEL -o OUT"));
  CHECK(refusal({"explain", "a", "b"}).starts_with("`aegis explain` got 2 operands, expected CODE|TOPIC"));
}

TEST_CASE("a value that the option does not take is refused before anything runs") {
  CHECK(refusal({"lint", "x", "--fail-on", "errors"})
            .starts_with("--fail-on is `errors`, expected one of error, warning"));
  CHECK(!refusal({"lint", "x", "--target"}).empty());
}

TEST_CASE("help and version need no operands") {
  CHECK(parse({"--help"})->help);
  CHECK(parse({"lint", "--help"})->help);
  CHECK(parse({"--version"})->version);
}
