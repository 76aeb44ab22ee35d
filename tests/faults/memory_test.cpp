// Memory that is not there is an error like any other: whichever allocation fails, the call returns it, and nothing is
// lost.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <functional>

#include "linter/lint.hpp"
#include "model/load.hpp"
#include "model/patch.hpp"
#include "model/save.hpp"
#include "tests/faults/allocations.hpp"
#include "tests/unit/model/folder.hpp"
#include "tests/unit/model/sample.hpp"

namespace aegis {
namespace {

namespace fs = std::filesystem;
using test::Folder;
using test::slurp;
using test::spill;

// Runs `work` with each allocation failing in turn, at most about `runs` of them. It returns whether it succeeded;
// `afterwards` looks at what it left.
void at_every_allocation(
    const std::function<bool()>& work, long runs, const std::function<void()>& afterwards = [] {}) {
  REQUIRE(work());  // what is made once, in the libraries, is made here
  test::fail_allocation(-1);
  REQUIRE(work());
  const long all = test::allocations(), stride = all / runs + 1;
  REQUIRE(all > 0);
  long failures = 0;
  for (long at = 0; at < all; at += stride) {
    const long before = test::live();
    test::fail_allocation(at);
    const bool done = work();
    test::fail_allocation(-1);
    const long after = test::live();
    INFO("allocation " << at << " of " << all);
    CHECK(after == before);
    afterwards();
    failures += done ? 0 : 1;
  }
  CHECK(failures > 0);
}

Result<Model> one_more_node(const Model& model) {
  Patch patch{.pass = "test", .label = "one more node"};
  const NodeId last = model.main().nodes.back();
  patch.edits.push_back(edit::SetOutput{.node = last, .slot = 0, .value = "inner"});
  patch.edits.push_back(edit::InsertNode{.op = "Relu", .name = "last", .inputs = {"inner"}, .outputs = {"y"}});
  return apply(model, {&patch, 1});
}

template <class T>
bool worked(const Result<T>& result) {
  if (!result && result.error().message.empty()) throw std::logic_error("an error without a message");
  return static_cast<bool>(result);
}

}  // namespace

TEST_CASE("load survives each allocation that fails") {
  const Folder folder;
  const std::string path = spill(folder.path / "m.onnx", test::sample_model().SerializeAsString()).string();
  at_every_allocation([&] { return worked(load(path)); }, 3000);
}

TEST_CASE("an edit survives each allocation that fails") {
  const auto model = load_bytes(test::sample_model().SerializeAsString(), "m");
  REQUIRE(model);
  Patch patch{.pass = "test", .label = "one more node"};
  const NodeId last = model->main().nodes.back();
  patch.edits.push_back(edit::SetOutput{.node = last, .slot = 0, .value = "inner"});
  patch.edits.push_back(edit::InsertNode{.op = "Relu", .name = "last", .inputs = {"inner"}, .outputs = {"y"}});
  at_every_allocation([&] { return worked(apply(*model, {&patch, 1})); }, 3000);
}

TEST_CASE("a write survives each allocation that fails, and the target is the old file or the new one") {
  const Folder folder;
  const std::string path = spill(folder.path / "m.onnx", test::sample_model().SerializeAsString()).string();
  const auto loaded = load(path);
  REQUIRE(loaded);
  const auto edited = one_more_node(*loaded);
  REQUIRE(edited);
  const std::string target = (folder.path / "out.onnx").string();
  for (const Model& model : {*loaded, *edited})
    for (const auto where : {ExternalData::automatic, ExternalData::always}) {
      REQUIRE(save(model, target, {.overwrite = Overwrite::yes, .external_data = where}));
      const std::string whole = slurp(target);
      at_every_allocation(
          [&] { return worked(save(model, target, {.overwrite = Overwrite::yes, .external_data = where})); }, 3000,
          [&] { CHECK(slurp(target) == whole); });
    }
}

TEST_CASE("lint survives each allocation that fails") {
  const auto model = load_bytes(test::sample_model().SerializeAsString(), "m");
  REQUIRE(model);
  const auto devices = DeviceTable::builtin();
  REQUIRE(devices);
  const auto device = devices->find("a100_sxm_80");
  REQUIRE(device);
  LintOptions options;
  options.targets = {&*device};
  at_every_allocation([&] { return worked(lint(*model, {}, options)); }, 400);
}

}  // namespace aegis
