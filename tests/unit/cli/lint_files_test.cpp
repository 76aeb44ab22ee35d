// Lint over many files: the same bytes whoever does the work, and one bad file or folder never in the way of the
// others.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "cli/progress.hpp"
#include "cli/walk.hpp"
#include "models.hpp"
#include "run.hpp"

using namespace aegis;
using test::Folder;
using test::run_aegis;

namespace {

// Six files: good ones, one that is no ONNX, one that is absent.
std::vector<std::string> mixed(const Folder& folder) {
  std::vector<std::string> words = {"lint"};
  for (int i = 0; i < 4; ++i) words.push_back(folder.write("m" + std::to_string(i) + ".onnxtxt", test::mlp()));
  words.insert(words.begin() + 2, folder.write("zip.onnx", "PK\x03\x04"));
  words.push_back(folder.file("absent.onnx"));
  return words;
}

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("a lint of many files has the same bytes for any number of jobs, in workers or not") {
  Folder folder;
  const std::vector<std::string> words = with(mixed(folder), {"--as", "bf16", "--preview", "--format", "json"});
  const auto one = run_aegis(with(words, {"--jobs", "1"}));
  CHECK(one.exit == Exit::file);
  const auto document = nlohmann::json::parse(one.out);
  REQUIRE(document["models"].size() == 6);
  for (std::size_t i = 0; i < 6; ++i) CHECK(document["models"][i]["path"] == words[i + 1]);
  CHECK(document["summary"]["files"] == 6);
  CHECK(document["summary"]["errors"] == 2);
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{"--jobs", "2"}, {"--jobs", "16"}, {"--no-isolate"}, {"--no-isolate", "--jobs", "3"}}) {
    const auto other = run_aegis(with(words, how));
    CHECK(other.exit == one.exit);
    CHECK(other.out == one.out);
  }
  CHECK((::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD));
}

#if !defined(AEGIS_SANITIZED)
TEST_CASE("a worker that reaches a limit is IO908 for its file and exit 5, with a whole report") {
  Folder folder;
  const std::string model = folder.write("m.onnxtxt", test::mlp());
  std::filesystem::resize_file(model, 64u << 20);  // more than this process has to spare
  const std::vector<std::string> small = {"--limit", "worker_memory_bytes=1MiB"};
  const auto lint = run_aegis(with({"lint", model, model + "x", "--format", "json"}, small));
  CHECK(lint.exit == Exit::internal);
  const auto linted = nlohmann::json::parse(lint.out);
  REQUIRE(linted["models"].size() == 2);
  CHECK(linted["models"][0]["error"]["code"] == "IO908");
  CHECK(linted["models"][0]["error"]["message"].get<std::string>().find("limit of memory, 1 MiB") != std::string::npos);

  const auto rewrite = run_aegis(with({"rewrite", model, "-o", folder.file("o.onnx"), "--format", "json"}, small));
  CHECK(rewrite.exit == Exit::internal);
  CHECK(nlohmann::json::parse(rewrite.out)["models"][0]["error"]["code"] == "IO908");
  CHECK_FALSE(folder.has("o.onnx"));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"inspect", model}, {"run", model}, {"validate", model, model}}) {
    const auto ran = run_aegis(with(words, small));
    CHECK(ran.exit == Exit::internal);
    CHECK(ran.out.empty());
    CHECK(ran.err.find(model + ": error: IO908 ") != std::string::npos);
    CHECK(run_aegis(with(words, with(small, {"--no-isolate"}))).exit != Exit::internal);
  }
}
#endif

TEST_CASE("verbs give the same document and the same notes in a worker and without one") {
  Folder folder;
  const std::string model = folder.write("m.onnxtxt", test::mlp());
  for (const std::vector<std::string>& words : {std::vector<std::string>{"inspect", model},
                                                {"run", model},
                                                {"validate", model, model},
                                                {"rewrite", model, "--pad=always", "--bf16", "--dry-run", "--diff"},
                                                {"rewrite", folder.file("absent.onnx"), "--dry-run"},
                                                {"inspect", model, "--bind", "nope=3"}}) {
    const auto worker = run_aegis(with(words, {"--format", "json"}));
    const auto here = run_aegis(with(words, {"--format", "json", "--no-isolate"}));
    CHECK(worker.exit == here.exit);
    CHECK(worker.out == here.out);
    CHECK(worker.err == here.err);
  }
}

TEST_CASE("a list of files is one a line, or ended by NULs") {
  using Names = std::vector<std::string>;
  CHECK(split_file_list("a\nb c\n\nd") == Names{"a", "b c", "d"});
  CHECK(split_file_list("a\r\nb\r\n") == Names{"a", "b"});
  CHECK(split_file_list(std::string("a\nb\0c\0", 6)) == Names{"a\nb", "c"});
  CHECK(split_file_list("").empty());

  Folder folder;
  const std::string model = folder.write("m.onnxtxt", test::mlp());
  const std::string list = folder.write("list", model + std::string("\0", 1) + folder.file("absent.onnx"));
  const auto ran = run_aegis({"lint", "--files-from", list, "--format", "json"});
  CHECK(ran.exit == Exit::file);
  CHECK(nlohmann::json::parse(ran.out)["models"].size() == 2);
  CHECK(run_aegis({"lint", "--files-from", folder.file("no-list")}).exit == Exit::file);
  CHECK(run_aegis({"lint", "-", "--files-from", "-"}, "x").exit == Exit::usage);
  const auto nothing = run_aegis({"lint", "--files-from", "-"}, "");
  CHECK(nothing.exit == Exit::clean);
  CHECK(nothing.err.find("names no file") != std::string::npos);
}

TEST_CASE("a folder without models is said, links to folders and .git are not entered") {
  Folder folder;
  folder.write("empty/readme.txt", "");
  folder.write("real/a.onnx", "");
  folder.write("real/.git/b.onnx", "");
  folder.write("walked/c.onnx", "");
  REQUIRE(::symlink(folder.file("real").c_str(), folder.file("walked/link").c_str()) == 0);
  const auto ran = run_aegis({"lint", folder.file("empty")});
  CHECK(ran.exit == Exit::clean);
  CHECK(ran.err.find(folder.file("empty") + " holds no *.onnx file") != std::string::npos);
  CHECK(run_aegis({"lint", folder.file("empty"), "--quiet"}).err.empty());
  const ModelFiles found = model_files({folder.file("walked"), folder.file("real"), folder.file("real")}, {});
  REQUIRE(found.files.size() == 2);
  CHECK(found.files[0].path == folder.file("walked/c.onnx"));
  CHECK(found.files[1].path == folder.file("real/a.onnx"));
  CHECK(found.empty.empty());
}

TEST_CASE("a folder that cannot be read is an error of its own; the others are linted") {
  Folder folder;
  folder.write("a/closed/x.onnx", "");
  folder.write("a/open/y.onnx", "");
  ::chmod(folder.path().c_str(), 0755);
  ::chmod(folder.file("a/closed").c_str(), 0);
  const bool root = ::geteuid() == 0;  // to whom nothing is closed
  if (root) REQUIRE(::seteuid(65534) == 0);
  const auto ran = run_aegis({"lint", folder.file("a"), "--format", "json"});
  if (root) REQUIRE(::seteuid(0) == 0);
  ::chmod(folder.file("a/closed").c_str(), 0755);
  CHECK(ran.exit == Exit::file);
  const auto models = nlohmann::json::parse(ran.out)["models"];
  REQUIRE(models.size() == 2);
  CHECK(models[0]["path"] == folder.file("a/closed"));
  CHECK(models[0]["error"]["message"].get<std::string>().find("Permission denied") != std::string::npos);
  CHECK(models[1]["path"] == folder.file("a/open/y.onnx"));
}

TEST_CASE("progress says how far, how fast, how long still") {
  CHECK(progress_text(0, 5000, "files", 1) == "0 of 5000 files");
  CHECK(progress_text(1000, 5000, "files", 2) == "1000 of 5000 files · 500/s · 8 s left");
  CHECK(progress_text(1, 4, "files", 2) == "1 of 4 files · 0.5/s · 6 s left");
}

TEST_CASE("limits: the user's own file and the command line raise them, a project only lowers them") {
  Folder folder;
  const std::string model = folder.write("m.onnxtxt", test::mlp());
  const std::string project = folder.write("aegis.toml", "[limits]\nfindings_per_rule = 0\n");
  const auto count = [&](const std::vector<std::string>& more) {
    const auto ran = run_aegis(with({"lint", model, "--as", "bf16", "--preview", "--format", "json"}, more));
    const auto document = nlohmann::json::parse(ran.out);
    std::size_t beyond = 0;
    for (const auto& finding : document["models"][0]["findings"]) beyond += finding["code"] == "PK802";
    return beyond;
  };
  CHECK(count({}) == 0);
  CHECK(count({"--limit", "findings_per_rule=0"}) > 0);
  CHECK(count({"--config", project}) > 0);
  CHECK(count({"--config", project, "--limit", "findings_per_rule=5000"}) > 0);
  CHECK(count({"--limit", "file_seconds=0"}) == 1);
}

TEST_CASE("the report on many files stays under forty lines and names what could not be used") {
  Folder folder;
  std::string config = "[budgets]\ncast_count = 0\nmisaligned_flops_percent = 0\nmemory_bound_time_percent = 0\n";
  for (int i = 0; i < 20; ++i)
    config += "[[suppress]]\nrule = 'AL101'\nnode = '/none" + std::to_string(i) + "'\nreason = 'r'\n";
  std::vector<std::string> words = {"lint", "--as", "bf16", "--preview", "--config", folder.write("c.toml", config)};
  for (int i = 0; i < 30; ++i)
    words.push_back(folder.write("f" + std::to_string(i % 9) + "/m" + std::to_string(i) + ".onnxtxt", test::mlp()));
  for (int i = 0; i < 30; ++i) words.push_back(folder.write("bad" + std::to_string(i) + ".onnx", "PK\x03\x04"));
  const auto ran = run_aegis(words);
  INFO(ran.out);
  CHECK(ran.exit == Exit::file);
  CHECK(std::count(ran.out.begin(), ran.out.end(), '\n') < 40);
  CHECK(ran.out.find(folder.file("bad0.onnx") + ": error IO901: ") != std::string::npos);
  CHECK(ran.out.find("... and 24 more files; --format json has all") != std::string::npos);
  CHECK(ran.out.find("MB201 memory_bound_gemm: 60 findings in 30 files (" + folder.file("f0") + " 8, ") !=
        std::string::npos);
  CHECK(ran.out.find("and 6 more folders)") != std::string::npos);
  CHECK(ran.out.find("in 60 files") != std::string::npos);
}
