// What a user gets wrong is told: nothing that was asked for is silently not done.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/option.hpp"
#include "models.hpp"
#include "run.hpp"

using namespace aegis;
using test::Folder;
using test::run_aegis;

namespace {

using Pairs = std::vector<std::pair<const char*, const char*>>;

std::vector<std::string> variables;
Exit exit_with(const std::vector<std::string>& names, std::string& said) {
  variables = names;
  std::ostringstream out, err;
  Io io{.out = &out, .err = &err, .environment_names = [] { return variables; }};
  const std::vector<std::string> words = {"rules"};
  const Exit exit = run_program(words, io);
  said = err.str();
  return exit;
}

}  // namespace

TEST_CASE("every option refuses a value that is not of its kind") {
  for (const Option& option : option_table()) {
    const auto takes = [&](std::string_view value) { return static_cast<bool>(check_option_value(option, value)); };
    INFO(option.name << " " << option.key);
    switch (option.kind) {
      case OptionKind::flag: CHECK_FALSE(takes("maybe")); break;
      case OptionKind::integer:
        for (const char* value : {"-1", "1.5", "x", "", "1e3", "99999999999999999999"}) CHECK_FALSE(takes(value));
        break;
      case OptionKind::real:
        for (const char* value : {"-1", "nan", "x", "", "1,5"}) CHECK_FALSE(takes(value));
        break;
      case OptionKind::share:
        for (const char* value : {"2", "1.01", "-0.1", "nan", "90%", ""}) CHECK_FALSE(takes(value));
        CHECK(takes("1"));
        break;
      case OptionKind::bytes:
        for (const char* value : {"-1", "8GB", "GiB", "1.5GiB", "99999999TiB", ""}) CHECK_FALSE(takes(value));
        CHECK(takes("8GiB"));
        break;
      case OptionKind::choice: CHECK_FALSE(takes("no-such-choice")); break;
      case OptionKind::list: CHECK((option.choices.empty() || !takes("no-such-choice"))); break;
      case OptionKind::text:
      case OptionKind::repeated: CHECK_FALSE(takes("")); break;
    }
  }
  CHECK(bytes_from_text("3KiB") == 3072u);
  CHECK(bytes_from_text("17179869183GiB").has_value());
  CHECK_FALSE(bytes_from_text("17179869184GiB"));
}

TEST_CASE("an option of the command line that no verb takes would be one that nothing can set") {
  for (const Option& option : option_table()) {
    if (option.name.empty()) continue;
    bool taken = std::ranges::find(common_options(), option.name) != common_options().end();
    for (const Command* command : commands())
      taken = taken || std::ranges::find(command->options, option.name) != command->options.end();
    INFO(option.name);
    CHECK(taken);
  }
}

TEST_CASE("a misspelt variable of the environment is an error, one of others is none") {
  std::string said;
  CHECK(exit_with({"PATH", "AEGIS_TARGET", "AEGIS_CACHE", "AEGIS_OF_SOMETHING_ELSE"}, said) == Exit::clean);
  for (const auto& [name, meant] :
       Pairs{{"AEGIS_TARGT", "AEGIS_TARGET"}, {"AEGIS_FAILON", "AEGIS_FAIL_ON"}, {"AEGIS_MIN_SNRR", "AEGIS_MIN_SNR"}}) {
    CHECK(exit_with({name}, said) == Exit::usage);
    CHECK(said.find(meant) != std::string::npos);
  }
}

TEST_CASE("names that a model lacks are errors, whichever option names them") {
  Folder folder;
  const std::string model = folder.write("m.onnxtxt", test::mlp());
  for (const char* verb : {"lint", "validate", "rewrite"}) {
    std::vector<std::string> words = {verb, model};
    if (std::string(verb) == "validate") words.push_back(model);
    if (std::string(verb) == "rewrite") words.insert(words.end(), {"--dry-run", "--pad=always"});
    std::vector<std::string> good = words, bad = words;
    good.insert(good.end(), {"--range", "x=0:1"});
    bad.insert(bad.end(), {"--range", "xx=0:1"});
    CHECK(run_aegis(good).exit == Exit::clean);
    const auto ran = run_aegis(bad);
    CHECK(ran.exit == Exit::usage);
    CHECK(ran.err.find("--range names `xx`, the model has x") != std::string::npos);
  }
}

TEST_CASE("standard input is one model, read once, and no place to write to") {
  Folder folder;
  const std::string model = test::saved_mlp(folder);
  const std::string bytes = folder.read(model.substr(model.rfind('/') + 1));
  CHECK(run_aegis({"validate", "-", "-"}, bytes).exit == Exit::usage);
  CHECK(run_aegis({"validate", "-", model}, bytes).exit == Exit::clean);
  CHECK(run_aegis({"validate", model, "-"}, bytes).exit == Exit::clean);
  const auto in_place = run_aegis({"rewrite", "-", "--in-place", "--pad"}, bytes);
  CHECK(in_place.exit == Exit::usage);
  CHECK_FALSE(std::filesystem::exists("-"));
  CHECK(run_aegis({"rewrite", "-", "-o", folder.file("copy.onnx")}, bytes).exit == Exit::clean);
  CHECK(folder.read("copy.onnx") == bytes);
  const auto padded = run_aegis({"rewrite", "-", "-o", folder.file("padded.onnx"), "--pad=always"}, bytes);
  CHECK(padded.exit == Exit::clean);
  CHECK(padded.out.find("aegis validate") == std::string::npos);  // there is no file to name
}

TEST_CASE("inputs that are not there are a missing file, inputs of another kind a wrong word") {
  Folder folder;
  const std::string model = folder.write("m.onnxtxt", test::mlp());
  const auto absent = run_aegis({"run", model, "--inputs", folder.file("nowhere")});
  CHECK(absent.exit == Exit::file);
  CHECK(absent.err.find("is not there") != std::string::npos);
  CHECK(run_aegis({"run", model, "--inputs", model}).exit == Exit::usage);
}

TEST_CASE("a configuration is verified for what it means, in overrides too") {
  Folder folder;
  for (const auto& [text, line] :
       Pairs{{"target = 'nope'\n", ":1: "},
             {"\ntarget = ['a100', 'nope']\n", ":2: "},
             {"[[overrides]]\nfiles = ['x/**']\ntarget = 'nope'\n", ":3: "},
             {"[[suppress]]\nrule = 'AL101'\nreason = 'r'\nexpires = 'soon'\n", ":1: "},
             {"[[suppress]]\nrule = 'AL101'\nreason = 'r'\nexpires = '2027-02-30'\n", ":1: "},
             {"[rules]\nselect = ['ZZ']\n", ""},
             {"[limits]\nrule_seconds = 11\n", ":2: "},
             {"[limits]\nrule_secnds = 1\n", ":2: "}}) {
    const std::string config = folder.write("aegis.toml", text);
    const auto ran = run_aegis({"config", "verify", config});
    INFO(text << ran.out << ran.err);
    CHECK(ran.exit == Exit::usage);
    CHECK(ran.out.find(config + line) != std::string::npos);
  }
  const std::string good = folder.write(
      "aegis.toml",
      "target = ['a100', 'h100']\n[limits]\nrule_seconds = 3\n[[suppress]]\nrule = 'AL101'\nreason = 'r'\nexpires = "
      "2027-06-01\n");
  CHECK(run_aegis({"config", "verify", good}).exit == Exit::clean);
}
