// Seconds and peak memory of loading a model, renaming the outputs of one node and writing it, against the time that cp
// takes for the same file: bench_edit_one_node MODEL OUT [auto|never|always]. bench/make_models.py makes models.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

#include "model/load.hpp"
#include "model/patch.hpp"
#include "model/save.hpp"

extern char** environ;

namespace {

using namespace aegis;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double peak_mib() {
  rusage use{};
  ::getrusage(RUSAGE_SELF, &use);
  return static_cast<double>(use.ru_maxrss) / 1024;
}

bool copy(const std::string& from, const std::string& to) {
  std::string program = "cp", a = from, b = to;
  char* arguments[] = {program.data(), a.data(), b.data(), nullptr};
  pid_t child = 0;
  int status = 1;
  return ::posix_spawnp(&child, "cp", nullptr, nullptr, arguments, environ) == 0 &&
         ::waitpid(child, &status, 0) == child && status == 0;
}

bool sync(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY);
  const bool done = descriptor >= 0 && ::fsync(descriptor) == 0;
  if (descriptor >= 0) ::close(descriptor);
  return done;
}

Result<Model> edited(const Model& model) {
  const Node& last = model.node(model.main().nodes.back());
  const ValueId out = last.outputs.at(0);
  Patch patch{.pass = "bench", .label = "one more node"};
  patch.edits.push_back(edit::SetOutput{.node = last.id, .slot = 0, .value = "aegis_bench_value"});
  patch.edits.push_back(edit::InsertNode{.op = "Identity",
                                         .name = "aegis_bench_node",
                                         .inputs = {"aegis_bench_value"},
                                         .outputs = {std::string(model.value(out).name)}});
  return apply(model, {&patch, 1});
}

Result<void> run(const std::string& from, const std::string& to, ExternalData where) {
  const auto start = std::chrono::steady_clock::now();
  AEGIS_TRY(const Model model, load(from));
  const double loaded = seconds_since(start);
  AEGIS_TRY(const Model after, edited(model));
  AEGIS_TRY(const Saved saved, save(after, to, {.overwrite = Overwrite::yes, .external_data = where}));
  fmt::print("load {:.3f} s, load + edit + save {:.3f} s, peak {:.1f} MiB, {} bytes + {} of data\n", loaded,
             seconds_since(start), peak_mib(), saved.bytes, saved.data_bytes);
  return {};
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::fputs("usage: bench_edit_one_node MODEL OUT [auto|never|always]\n", stderr);
    return 2;
  }
  const std::string from = words[1], to = words[2], where = count > 3 ? words[3] : "auto";
  const auto done = run(from, to,
                        where == "always"  ? ExternalData::always
                        : where == "never" ? ExternalData::never
                                           : ExternalData::automatic);
  if (!done) {
    fmt::print(stderr, "{}: {}\n", done.error().where, done.error().message);
    return 3;
  }
  const std::string twin = to + ".cp";
  const auto start = std::chrono::steady_clock::now();
  if (!copy(from, twin)) return 3;
  const double copied = seconds_since(start);
  if (!sync(twin)) return 3;
  fmt::print("cp {:.3f} s, cp + fsync {:.3f} s\n", copied, seconds_since(start));
  std::filesystem::remove(twin);
  return 0;
}
