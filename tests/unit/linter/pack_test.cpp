// Packs: what is loaded, and what is refused with which words.
#include "linter/pack.hpp"

#include <sys/stat.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>

#include "linter/examples.hpp"
#include "linter/rule_book.hpp"
#include "model/load.hpp"
#include "model/save.hpp"

using namespace aegis;

namespace {

std::string built(const std::string& name) { return std::string(AEGIS_PACKS) + "/" + name + ".so"; }

std::string refusal(const std::string& path) {
  const auto pack = Pack::load(path);
  if (pack) return "loaded";
  CHECK(pack.error().where == path);
  return pack.error().message;
}

bool says(const std::string& text, std::string_view part) {
  INFO(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a pack tells who it is and what it holds") {
  const auto pack = Pack::load(built("pack_fine"));
  REQUIRE(pack);
  CHECK((*pack)->name() == "test_pack");
  CHECK((*pack)->vendor() == "the tests");
  CHECK((*pack)->version() == "1.2.3");
  CHECK((*pack)->sha256().size() == 64);
  REQUIRE((*pack)->rules().size() == 1);
  CHECK((*pack)->rules()[0].code == "TT101");
  CHECK((*pack)->rules()[0].name == "always");
  CHECK((*pack)->rules()[0].family == "test_pack");
}

TEST_CASE("the rules of a pack run like the program's own") {
  auto pack = Pack::load(built("pack_fine"));
  REQUIRE(pack);
  RuleBook book;
  REQUIRE(book.add(*pack));
  CHECK(book.find("TT101") == book.find("always"));
  for (std::size_t i = 1; i < book.rules().size(); ++i) CHECK(book.rules()[i - 1]->code < book.rules()[i]->code);

  const auto model =
      parse_text("<ir_version: 10, opset_import: [\"\" : 21]> g (float[4] x) => (float[4] y) { y = Relu(x) }");
  REQUIRE(model);
  const auto devices = DeviceTable::builtin();
  REQUIRE(devices);
  const auto target = devices->find("h100_sxm");
  REQUIRE(target);
  const auto run = [&](LintOptions options) {
    options.book = &book;
    options.targets = {&*target};
    const auto result = lint(*model, {}, options);
    REQUIRE(result);
    return result->findings;
  };
  const auto found = run({});
  REQUIRE(found.size() == 1);
  CHECK(found[0].code == "TT101");
  CHECK(found[0].message == "a finding of the test's pack");
  CHECK(run({.ignore = {"TT"}}).empty());
  CHECK_FALSE(lint(*model, {}, {.targets = {&*target}, .ignore = {"TT"}}));  // without the pack nobody knows the prefix

  const auto twice = book.add(*pack);
  REQUIRE_FALSE(twice);
  CHECK(says(twice.error().message, "TT101"));
  CHECK(book.packs().size() == 1);
}

TEST_CASE("what the ABI does not allow is refused before any code of the pack runs") {
  CHECK(says(refusal(built("pack_magic")), "expected 0x41454749"));
  CHECK(says(refusal(built("pack_major")), "built for ABI 2.0, this program has 1.0"));
  CHECK(says(refusal(built("pack_minor")), "built for ABI 1.1, this program has 1.0"));
  CHECK(says(refusal(built("pack_size")), "16 bytes"));
  CHECK(says(refusal(built("pack_prefix")), "`tt`, expected two capital letters"));
  CHECK(says(refusal(built("pack_reserved")), "AL is one of Aegis's own"));
  CHECK(says(refusal(built("pack_code")), "`TT1`, expected TT and three digits"));
  CHECK(says(refusal(built("pack_twice")), "two of its rules have the code TT101"));
  CHECK(says(refusal(built("pack_check")), "has no check"));
  CHECK(says(refusal(built("pack_unit")), "unit 7"));
  CHECK(says(refusal(built("pack_list")), "no list of texts"));
  CHECK(says(refusal(built("pack_start")), "its own start failed"));
  CHECK(says(refusal(built("pack_no_symbol")), "exports no aegis_pack_v1"));
}

TEST_CASE("what is no pack, or lies open to others, is refused") {
  namespace fs = std::filesystem;
  std::string name = (fs::temp_directory_path() / "aegis-pack-XXXXXX").string();
  const fs::path folder = ::mkdtemp(name.data());
  const std::string copy = folder / "copy.so";
  fs::copy_file(built("pack_fine"), copy);
  ::chmod(copy.c_str(), 0755);
  CHECK(refusal(copy) == "loaded");
  ::chmod(copy.c_str(), 0775);
  CHECK(says(refusal(copy), "chmod go-w"));
  ::chmod(copy.c_str(), 0755);
  ::chmod(folder.c_str(), 0777);
  CHECK(says(refusal(copy), "folder that other users can write"));
  ::chmod(folder.c_str(), 0755);

  REQUIRE(save_bytes("no shared object", folder / "text.so", Overwrite::no));
  CHECK(says(refusal(folder / "text.so"), "cannot be loaded"));
  CHECK(says(refusal(folder / "absent.so"), "cannot be opened"));
  CHECK(says(refusal(folder), "no regular file"));
  ::mkfifo((folder / "pipe").c_str(), 0600);
  CHECK(says(refusal(folder / "pipe"), "no regular file"));
  fs::remove_all(folder);
}

TEST_CASE("the examples of the packs that come with the SDK hold") {
  for (const char* name : {"my_pack", "example_pack"}) {
    auto pack = Pack::load(built(name));
    INFO((pack ? std::string() : pack.error().message));
    REQUIRE(pack);
    RuleBook book;
    REQUIRE(book.add(*pack));
    for (const Rule& rule : (*pack)->rules()) {
      INFO(rule.code << ' ' << rule.name);
      CHECK_FALSE(rule.doc.empty());
      const auto count = [&](const RuleExample& example) {
        const auto result = run_example(rule, example, nullptr, &book);
        REQUIRE(result);
        return static_cast<int>(result->findings.size());
      };
      REQUIRE_FALSE(rule.bad.empty());
      for (const RuleExample& example : rule.bad) CHECK(count(example) == example.expect);
      for (const RuleExample& example : rule.good) CHECK(count(example) == 0);
    }
  }
}
