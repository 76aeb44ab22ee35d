#include "cli/settings.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <memory>

#include "linter/rule_book.hpp"

using namespace aegis;

static Result<Settings> settings(std::vector<std::string> words, const std::string& toml,
                                 const char* (*environment)(const char*) = nullptr) {
  auto arguments = parse_arguments(words);
  REQUIRE(arguments);
  auto config = parse_config(toml, "aegis.toml", ".", std::make_shared<RuleBook>());
  REQUIRE(config);
  return Settings::make(*std::move(arguments), *std::move(config), Io{.environment = environment});
}

TEST_CASE("the command line beats the environment, which beats the file, which beats the default") {
  const auto environment = [](const char* name) -> const char* {
    return std::strcmp(name, "AEGIS_TARGET") == 0 ? "l4" : nullptr;
  };
  CHECK(settings({"lint", "x"}, "")->text("target") == "h100_sxm");
  CHECK(settings({"lint", "x"}, "")->origin("target") == "default");
  CHECK(!settings({"lint", "x"}, "")->given("target"));
  CHECK(settings({"lint", "x"}, "target = 'a100'")->origin("target") == "aegis.toml:1");
  CHECK(settings({"lint", "x"}, "target = 'a100'", environment)->text("target") == "l4");
  CHECK(settings({"lint", "x"}, "target = 'a100'", environment)->origin("target") == "AEGIS_TARGET");
  CHECK(settings({"lint", "x", "--target", "t4"}, "target = 'a100'", environment)->text("target") == "t4");
}

TEST_CASE("a wrong value in the environment is an error that names the variable") {
  const auto environment = [](const char* name) -> const char* {
    return std::strcmp(name, "AEGIS_FAIL_ON") == 0 ? "fatal" : nullptr;
  };
  auto made = settings({"lint", "x"}, "", environment);
  REQUIRE(!made);
  CHECK(made.error().where == "AEGIS_FAIL_ON");
}

TEST_CASE("lists of the command line are split, those of a file are not") {
  CHECK(settings({"lint", "x", "--select", "AL,MB", "--select", "PR"}, "")->list("select") ==
        std::vector<std::string>{"AL", "MB", "PR"});
  CHECK(settings({"rewrite", "x"}, "[precision]\nkeep = ['a,b']")->list("keep") == std::vector<std::string>{"a,b"});
  CHECK(settings({"rewrite", "x"}, "[precision]\nkeep = ['*']")->given("keep"));
  CHECK(settings({"lint", "x"}, "")->list("format") == std::vector<std::string>{"text"});
}

TEST_CASE("keys that only a file has are read by their key") {
  auto made = settings({"rewrite", "x"}, "[padding]\ngate = 'off'\nmax_flop_growth = 100\ngrouped = true\n");
  CHECK(made->text("padding.gate") == "off");
  CHECK(made->real("padding.max_flop_growth") == 100);
  CHECK(made->real("padding.max_tensor_growth") == 1.35);
  CHECK(made->flag("padding.grouped"));
  CHECK(!made->flag("padding.best"));
}

TEST_CASE("an override changes what the file says, never what the command line says") {
  const std::string toml = "target = 'a100'\n[[overrides]]\nfiles = ['old/**']\ntarget = 't4'\nrules.select = ['MB']\n";
  auto made = settings({"lint", "x"}, toml);
  CHECK(made->for_model("new/x.onnx").text("target") == "a100");
  CHECK(made->for_model("old/x.onnx").text("target") == "t4");
  CHECK(made->for_model("old/x.onnx").list("select") == std::vector<std::string>{"MB"});
  CHECK(settings({"lint", "x", "--target", "l4"}, toml)->for_model("old/x.onnx").text("target") == "l4");
}
