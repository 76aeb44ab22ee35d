// A job is: load a model, edit it, write it. Whatever a system call answers, the job ends with the whole result or with
// an error, and what stands at the target is the old file or the new one. A kill leaves the same.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <set>
#include <vector>

#include "model/load.hpp"
#include "model/patch.hpp"
#include "model/save.hpp"
#include "tests/faults/calls.hpp"
#include "tests/unit/model/folder.hpp"
#include "tests/unit/model/sample.hpp"

namespace aegis {
namespace {

namespace fs = std::filesystem;
using test::Folder;
using test::Plan;
using test::slurp;
using test::spill;

struct Job {
  const char* name;
  bool edit;
  bool elsewhere;  // the model's folder is another one than the target's
  bool external;   // the model has a data file
  SaveOptions options;
};

const Job jobs[] = {
    {"copy", false, false, false, {}},
    {"copy over", false, false, false, {.overwrite = Overwrite::yes}},
    {"copy with data", false, true, true, {}},
    {"edit", true, false, false, {}},
    {"edit over", true, false, false, {.overwrite = Overwrite::yes}},
    {"edit in place", true, false, false, {.overwrite = Overwrite::in_place}},
    {"edit into two files", true, false, false, {.external_data = ExternalData::always}},
    {"edit over, into two files",
     true,
     false,
     false,
     {.overwrite = Overwrite::yes, .external_data = ExternalData::always}},
    {"edit one with data", true, true, true, {.overwrite = Overwrite::yes}},
};

// The folders of a job, as they are before it runs.
struct Place {
  Folder from, to;
  fs::path model, target;
  std::string old;  // what stands at the target; empty: nothing

  explicit Place(const Job& job) {
    model = from.path / "m.onnx";
    auto proto = test::sample_model();
    test::fill_floats(*proto.mutable_graph()->mutable_initializer(0), 100'000, 1);
    if (job.external) {
      const auto inside = spill(from.path / "inside.onnx", proto.SerializeAsString());
      const auto loaded = load(inside.string());
      REQUIRE(loaded);
      REQUIRE(save(*loaded, model.string(), {.external_data = ExternalData::always}));
      fs::remove(inside);
    } else {
      spill(model, proto.SerializeAsString());
    }
    const bool in_place = job.options.overwrite == Overwrite::in_place;
    target = in_place ? model : (job.elsewhere ? to.path : from.path) / "out.onnx";
    if (in_place) old = slurp(model);
    if (job.options.overwrite == Overwrite::yes) old = slurp(spill(target, "what stood there before"));
  }
};

Result<Saved> run(const Job& job, const Place& place) {
  AEGIS_TRY(Model model, load(place.model.string()));
  if (job.edit) {
    Patch patch{.pass = "test", .label = "one more node"};
    const NodeId last = model.main().nodes.back();
    patch.edits.push_back(edit::SetOutput{.node = last, .slot = 0, .value = "inner"});
    patch.edits.push_back(edit::InsertNode{.op = "Relu", .name = "last", .inputs = {"inner"}, .outputs = {"y"}});
    AEGIS_TRY(model, apply(model, {&patch, 1}));
  }
  return save(model, place.target.string(), job.options);
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

// What the job makes when nothing goes wrong, and the files beside the target before and after.
struct Expected {
  std::string bytes;
  std::set<std::string> before, after;
  std::set<std::string> weights;  // contents of the data files
};

std::set<std::string> weights_beside(const fs::path& target) {
  std::set<std::string> found;
  for (const auto& entry : fs::directory_iterator(target.parent_path()))
    if (entry.path().extension() == ".data") found.insert(slurp(entry.path()));
  return found;
}

Expected expected_of(const Job& job) {
  const Place place(job);
  Expected expected{.before = names_in(place.target.parent_path())};
  test::plan_calls({});
  const auto saved = run(job, place);
  INFO(job.name << (saved ? "" : saved.error().message));
  REQUIRE(saved);
  expected.bytes = slurp(place.target);
  expected.after = names_in(place.target.parent_path());
  expected.weights = weights_beside(place.target);
  return expected;
}

void check(const Job& job, const Expected& expected, const Plan& plan, bool must_succeed) {
  const Place place(job);
  test::plan_calls(plan);
  const auto saved = run(job, place);
  const std::string struck = test::struck();
  test::plan_calls({});
  const std::string stands = fs::exists(place.target) ? slurp(place.target) : std::string();
  INFO(job.name << ", call " << plan.at << ' ' << struck << ": " << (saved ? "saved" : saved.error().message));
  if (saved || must_succeed) {
    REQUIRE(saved);
    CHECK((stands == expected.bytes));
    CHECK((weights_beside(place.target) == expected.weights));
  } else {
    CHECK_FALSE(saved.error().message.empty());
    CHECK(saved.error().fault == Fault::file);
    CHECK((stands == place.old || stands == expected.bytes));
    // What could not be removed stays, and so does what was complete when the folder could not be synced.
    if (stands == place.old && struck != "unlinkat") CHECK(names_in(place.target.parent_path()) == expected.before);
  }
}

template <class Each>
void at_every_call(const Job& job, bool no_tmpfile, Each each) {
  {
    const Place place(job);
    test::plan_calls({.no_tmpfile = no_tmpfile});
    REQUIRE(run(job, place));
  }
  const int calls = test::calls_made();
  REQUIRE(calls > 10);
  for (int at = 0; at < calls; ++at) each(at);
}

}  // namespace

TEST_CASE("a system call that fails gives an error, or a result that is whole") {
  for (const Job& job : jobs) {
    const Expected expected = expected_of(job);
    for (const bool no_tmpfile : {false, true})
      for (const int error : no_tmpfile ? std::vector{EIO} : std::vector{EIO, ENOSPC, EINTR})
        at_every_call(job, no_tmpfile, [&](int at) {
          check(job, expected, {.at = at, .error = error, .no_tmpfile = no_tmpfile}, false);
        });
  }
}

TEST_CASE("short and interrupted reads, writes and copies are taken up again") {
  for (const Job& job : jobs) {
    const Expected expected = expected_of(job);
    for (const std::size_t most : {std::size_t{1009}, std::size_t{65'537}}) check(job, expected, {.most = most}, true);
    check(job, expected, {.interrupts = 1}, true);
    check(job, expected, {.most = 4099, .interrupts = 1}, true);
  }
}

TEST_CASE("where the kernel cannot copy, reads and writes do") {
  for (const Job& job : jobs) {
    const Expected expected = expected_of(job);
    for (const char* calls : {"copy_file_range", "copy_file_range sendfile"})
      for (const int error : {EXDEV, EINVAL, ENOSYS, EOPNOTSUPP}) {
        check(job, expected, {.refuse = calls, .refuse_error = error}, true);
        check(job, expected, {.refuse = calls, .refuse_error = error, .most = 4099}, true);
      }
  }
}

TEST_CASE("file systems without nameless files, without renames that replace nothing") {
  for (const Job& job : jobs) {
    const Expected expected = expected_of(job);
    check(job, expected, {.no_tmpfile = true}, true);
    check(job, expected, {.refuse = "renameat2", .refuse_error = EINVAL, .no_tmpfile = true}, true);
    check(job, expected, {.refuse = "access", .refuse_error = ENOENT}, true);  // no /proc
  }
}

TEST_CASE("a kill at any system call leaves the old file or the new one, with its weights") {
  for (const Job& job : jobs) {
    const Expected expected = expected_of(job);
    for (const bool no_tmpfile : {false, true})
      at_every_call(job, no_tmpfile, [&](int at) {
        const Place place(job);
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
          test::plan_calls({.at = at, .kill = true, .no_tmpfile = no_tmpfile});
          ::_exit(run(job, place) ? 0 : 1);
        }
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        INFO(job.name << ", call " << at);
        REQUIRE(WIFSIGNALED(status));
        const std::string stands = fs::exists(place.target) ? slurp(place.target) : std::string();
        CHECK((stands == place.old || stands == expected.bytes));
        if (stands == expected.bytes) CHECK((weights_beside(place.target) == expected.weights));
        // The next run finds its way, and names what is left.
        if (job.options.overwrite == Overwrite::no && !stands.empty()) return;
        if (job.options.overwrite == Overwrite::in_place && stands != place.old) return;
        const auto again = run(job, place);
        INFO((again ? "" : again.error().message));
        REQUIRE(again);
        CHECK((slurp(place.target) == expected.bytes));
        for (const auto& name : names_in(place.target.parent_path())) {
          INFO(name);
          CHECK((expected.after.contains(name) || std::ranges::find(again->unused, name) != again->unused.end()));
        }
      });
  }
}

}  // namespace aegis
