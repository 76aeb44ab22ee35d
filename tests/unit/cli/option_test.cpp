#include <catch2/catch_test_macros.hpp>
#include <set>

#include "cli/command.hpp"
#include "cli/option.hpp"
#include "cli/report.hpp"

using namespace aegis;

TEST_CASE("every name and key of the option table stands once") {
  std::set<std::string_view> names, keys;
  std::set<char> letters;
  for (const Option& option : option_table()) {
    INFO(option.name << " " << option.key);
    CHECK((!option.name.empty() || !option.key.empty()));
    if (!option.name.empty()) CHECK(names.insert(option.name).second);
    if (!option.key.empty()) CHECK(keys.insert(option.key).second);
    if (option.letter) CHECK(letters.insert(option.letter).second);
    CHECK(!option.help.empty());
    CHECK(!option.help.ends_with('.'));
  }
}

TEST_CASE("every default is a value that its option takes") {
  for (const Option& option : option_table()) {
    INFO(option.name << " " << option.key);
    if (!option.otherwise.empty()) CHECK(check_option_value(option, option.otherwise));
    if (option.kind == OptionKind::choice) CHECK(!option.choices.empty());
    if (option.kind != OptionKind::flag && option.kind != OptionKind::choice && !option.name.empty())
      CHECK(!option.value.empty());
  }
}

TEST_CASE("commands take options of the table, each once, and none that every verb takes anyway") {
  std::set<std::string_view> common(common_options().begin(), common_options().end());
  for (std::string_view name : common_options()) CHECK(find_option(name));
  REQUIRE(!commands().empty());
  for (const Command* command : commands()) {
    std::set<std::string_view> seen;
    for (std::string_view name : command->options) {
      INFO(command->name << " --" << name);
      CHECK(find_option(name));
      CHECK(seen.insert(name).second);
      CHECK(!common.contains(name));
    }
    CHECK(command->run);
    CHECK(!command->summary.empty());
  }
}

TEST_CASE("no option of the table is without a command or a key") {
  std::set<std::string_view> used(common_options().begin(), common_options().end());
  for (const Command* command : commands()) used.insert(command->options.begin(), command->options.end());
  for (const Option& option : option_table()) {
    INFO(option.name);
    if (!option.name.empty()) CHECK(used.contains(option.name));
  }
}

TEST_CASE("a wrong value is answered with what was expected and the nearest word") {
  const auto message = [](const char* option, std::string_view value) {
    auto checked = check_option_value(*find_option(option), value);
    return checked ? std::string() : checked.error().message;
  };
  CHECK(message("runtime", "ort-cuda").empty());
  CHECK(message("runtime", "ort-cude") ==
        "--runtime is `ort-cude`, expected one of any, schema, ort-cpu, ort-cuda, tensorrt, did you mean `ort-cuda`");
  CHECK(message("as", "bf16,tf32").empty());
  CHECK(message("as", "bf16,float").starts_with("--as is `float`, expected one of bf16"));
  CHECK(message("seed", "12").empty());
  CHECK(message("seed", "12x") == "--seed is `12x`, expected a whole number from 0 on");
  CHECK(message("seed", "-1") == "--seed is `-1`, expected a whole number from 0 on");
  CHECK(message("min-snr", "2.5e1").empty());
  CHECK(message("min-snr", "nan") == "--min-snr is `nan`, expected a number from 0 on");
  CHECK(message("output", "") == "--output is ``, expected FILE, not nothing");
}

TEST_CASE("lists are split at commas, without spaces") {
  CHECK(split_list("a, b,,c ") == std::vector<std::string>{"a", "b", "c"});
  CHECK(split_list("").empty());
}

TEST_CASE("reports for people and for programs exist") {
  CHECK(find_report_format("text"));
  CHECK(find_report_format("json"));
  CHECK(!find_report_format("yaml"));
}
