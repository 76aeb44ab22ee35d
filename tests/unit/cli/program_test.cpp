// The program as a caller meets it: exit codes, what goes to which stream, and text that a hostile model cannot use.
#include "cli/program.hpp"
#include "cli/term.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "golden.hpp"
#include "models.hpp"
#include "run.hpp"

using namespace aegis;
using test::Folder;
using test::run_aegis;

namespace {

bool shows_raw_control(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7f) return true;
    if (byte == 0xe2 && i + 2 < text.size() && static_cast<unsigned char>(text[i + 1]) == 0x80 &&
        static_cast<unsigned char>(text[i + 2]) >= 0x8b && static_cast<unsigned char>(text[i + 2]) <= 0xae)
      return true;
  }
  return false;
}

}  // namespace

TEST_CASE("help and version are results, and clean") {
  const auto help = run_aegis({"--help"});
  CHECK(help.exit == Exit::clean);
  CHECK(help.err.empty());
  for (const char* verb : {"lint", "inspect", "rewrite", "validate", "run", "rules", "explain"})
    CHECK(help.out.find("\n  " + std::string(verb) + " ") != std::string::npos);
  CHECK(run_aegis({"lint", "--help"}).out.find("--fail-on error|warning|info|never") != std::string::npos);
  const auto version = run_aegis({"--version"});
  CHECK(version.exit == Exit::clean);
  CHECK(version.out.starts_with("aegis "));
  CHECK(version.out.find("opset up to ") != std::string::npos);
}

TEST_CASE("wrong usage is exit 2 and says nothing on standard output") {
  for (const std::vector<std::string>& words : {std::vector<std::string>{},
                                                {"lnt"},
                                                {"lint"},
                                                {"lint", "x", "--nope"},
                                                {"lint", "x", "--format", "jsn"},
                                                {"lint", "x", "--format", "json", "--format", "text"},
                                                {"lint", "x", "--target", "h1oo"},
                                                {"lint", "x", "--bind", "batch"},
                                                {"lint", "x", "--select", "ZZ"},
                                                {"lint", "x", "--config", "/nonexistent/aegis.toml"},
                                                {"explain", "AL999"},
                                                {"rewrite", "x", "--pad"},
                                                {"rewrite", "x", "-o", "y", "--bf16", "--fp16"},
                                                {"rewrite", "x", "-o", "y", "--bf16", "--accept", "close"}}) {
    const auto ran = run_aegis(words);
    INFO((words.empty() ? "" : words.back()) << ": " << ran.err);
    CHECK(ran.exit == Exit::usage);
    CHECK(ran.out.empty());
    CHECK(ran.err.find("error: ") != std::string::npos);
  }
  CHECK(run_aegis({"lint", "x", "--format", "jsn"}).err.find("did you mean `json`") != std::string::npos);
  CHECK(run_aegis({"explain", "AL101x"}).err.find("did you mean `AL101`") != std::string::npos);
}

TEST_CASE("a file that cannot be read is exit 3, with a document that has its code") {
  Folder folder;
  const auto ran = run_aegis({"lint", folder.file("absent.onnx"), folder.write("empty.onnx", ""), "--format", "json"});
  CHECK(ran.exit == Exit::file);
  const auto document = nlohmann::json::parse(ran.out);
  REQUIRE(document["models"].size() == 2);
  for (const auto& model : document["models"]) {
    CHECK(model["error"]["code"].get<std::string>().starts_with("IO"));
    CHECK(!model["error"]["message"].get<std::string>().empty());
    CHECK(model["findings"].empty());
  }
  CHECK(document["summary"]["errors"] == 2);
  CHECK(document["summary"]["files"] == 2);
}

TEST_CASE("the lint document has the keys of its contract, and the same bytes every time") {
  Folder folder;
  const std::string model = folder.write("mlp.onnxtxt", test::mlp());
  const auto ran = run_aegis({"lint", model, "--as", "bf16", "--format", "json", "--preview"});
  INFO(ran.err);
  CHECK(ran.exit == Exit::clean);
  CHECK(ran.out == run_aegis({"lint", model, "--as", "bf16", "--format", "json", "--preview", "--jobs", "7"}).out);
  const auto document = nlohmann::json::parse(ran.out);
  CHECK(document["aegis"]["schema"] == 1);
  CHECK(document["command"] == "lint");
  const auto& entry = document["models"][0];
  for (const char* key : {"path", "error", "coverage", "profile", "findings"}) CHECK(entry.contains(key));
  for (const char* key : {"nodes_total", "nodes_analyzed", "flops_percent", "unbound", "assumed"})
    CHECK(entry["coverage"].contains(key));
  for (const char* key : {"flops", "bytes_min", "bytes_op_by_op", "time_us", "parameters", "compute_bound_percent",
                          "memory_bound_percent", "launch_bound_percent"})
    CHECK(entry["profile"].contains(key));
  REQUIRE(!entry["findings"].empty());
  for (const auto& finding : entry["findings"])
    for (const char* key : {"code", "rule", "severity", "scope", "node", "op", "value", "message", "evidence", "gain",
                            "members", "related", "targets", "certainty", "fix", "source", "suppressed", "fingerprint"})
      CHECK(finding.contains(key));
  for (const char* key : {"errors", "warnings", "infos", "suppressed", "files", "pointers_skipped", "budgets"})
    CHECK(document["summary"].contains(key));
}

TEST_CASE("gates: severity by --fail-on, numbers by [budgets]") {
  Folder folder;
  const std::string model = folder.write("mlp.onnxtxt", test::mlp());
  CHECK(run_aegis({"lint", model, "--as", "bf16", "--preview", "--fail-on", "info"}).exit == Exit::gate);
  CHECK(run_aegis({"lint", model, "--as", "bf16", "--preview", "--fail-on", "never"}).exit == Exit::clean);
  const std::string config = folder.write("c.toml", "[budgets]\nmisaligned_flops_percent = 5\ncast_count = 0\n");
  const auto ran = run_aegis({"lint", model, "--as", "bf16", "--config", config, "--format", "json"});
  CHECK(ran.exit == Exit::gate);
  const auto budgets = nlohmann::json::parse(ran.out)["summary"]["budgets"];
  REQUIRE(budgets.size() == 2);
  CHECK(budgets[0]["name"] == "cast_count");
  CHECK(budgets[0]["ok"] == true);
  CHECK(budgets[1]["name"] == "misaligned_flops_percent");
  CHECK(budgets[1]["ok"] == false);
}

TEST_CASE("folders are walked, and a list of files is read") {
  Folder folder;
  folder.write("a/one.onnx", "");
  folder.write("a/b/two.onnx", "");
  folder.write("a/other.txt", "");
  const auto walked = nlohmann::json::parse(run_aegis({"lint", folder.file("a"), "--format", "json"}).out);
  REQUIRE(walked["models"].size() == 2);
  CHECK(walked["models"][0]["path"] == folder.file("a/b/two.onnx"));
  const auto listed = nlohmann::json::parse(
      run_aegis({"lint", "--files-from", "-", "--format", "json"}, folder.file("a/one.onnx") + "\n").out);
  REQUIRE(listed["models"].size() == 1);
}

TEST_CASE("a Git LFS pointer is an error when named, and counted when met in a folder") {
  Folder folder;
  const std::string pointer =
      folder.write("m/p.onnx",
                   "version https://git-lfs.github.com/spec/v1\noid "
                   "sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n");
  CHECK(run_aegis({"lint", pointer}).exit == Exit::file);
  const auto walked = run_aegis({"lint", folder.file("m"), "--format", "json"});
  CHECK(walked.exit == Exit::clean);
  CHECK(nlohmann::json::parse(walked.out)["summary"]["pointers_skipped"] == 1);
}

TEST_CASE("results go to standard output, notes to standard error, reports into files whole") {
  Folder folder;
  const std::string model = folder.write("mlp.onnxtxt", test::mlp());
  const auto ran = run_aegis({"lint", model, "--format", "text", "--format", "json=" + folder.file("r.json")});
  CHECK(ran.err.find("h100_sxm") != std::string::npos);
  CHECK(ran.out.find("note:") == std::string::npos);
  CHECK(nlohmann::json::parse(folder.read("r.json"))["command"] == "lint");
  CHECK(run_aegis({"lint", model, "--quiet"}).err.empty());
  CHECK(run_aegis({"lint", model, "--target", "a100"}).err.empty());
  CHECK(run_aegis({"lint", model, "--format", "json=" + folder.file("no/such/folder.json")}).exit == Exit::file);
}

TEST_CASE("names of a hostile model reach no terminal and no build log as they are") {
  Folder folder;
  std::string text = test::mlp();
  const std::string evil =
      "::error::\x1b[2J\xe2\x80\xae"
      "fc1";
  for (std::size_t at; (at = text.find("[fc1]")) != std::string::npos;) text.replace(at, 5, "[\"" + evil + "\"]");
  std::string model = folder.write("::warning file=x::.onnxtxt", text);
  for (const char* format : {"text", "json"}) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"lint", model, "--as", "bf16", "--preview"},
          {"inspect", model},
          {"rewrite", model, "--pad=always", "--bf16", "--dry-run", "--diff"}}) {
      std::vector<std::string> all = words;
      all.insert(all.end(), {"--format", format});
      const auto ran = run_aegis(all);
      INFO(words[0] << " " << format << ": " << ran.out << ran.err);
      CHECK(ran.exit != Exit::internal);
      CHECK(!shows_raw_control(ran.out + ran.err));
      CHECK(("\n" + ran.out + "\n" + ran.err).find("\n::") == std::string::npos);
    }
  }
}

TEST_CASE("a configuration is verified, and shown with the origin of each value") {
  Folder folder;
  const std::string good =
      folder.write("good.toml", "target = 'a100'\n[padding]\ngrouped = true\n[shapes]\nbatch = 8\n");
  const std::string bad = folder.write("bad.toml", "taget = 'a100'\n");
  const auto verified = run_aegis({"config", "verify", good, bad});
  CHECK(verified.exit == Exit::usage);
  CHECK(verified.out.find(good + ": fine\n") != std::string::npos);
  CHECK(verified.out.find(bad + ":1: `taget` is no key, did you mean `target`") != std::string::npos);
  CHECK(run_aegis({"config", "verify", good}).exit == Exit::clean);
  const auto shown = run_aegis({"config", "show", "--why", "--config", good});
  CHECK(shown.exit == Exit::clean);
  CHECK(shown.out.find("target = [\"a100\"]  (" + good + ":1)\n") != std::string::npos);
  CHECK(shown.out.find("runtime = \"any\"  (default)\n") != std::string::npos);
  CHECK(shown.out.find("padding.grouped = true") != std::string::npos);
  CHECK(shown.out.find("shapes.batch = 8\n") != std::string::npos);
  CHECK(run_aegis({"lint", "x", "--config", bad}).exit == Exit::usage);
}

TEST_CASE("each rule and each topic is explained, with examples") {
  const auto rule = run_aegis({"explain", "AL101"});
  CHECK(rule.exit == Exit::clean);
  CHECK(rule.out.starts_with("AL101 unaligned_gemm_k\n"));
  CHECK(rule.out.find("\nBad (") != std::string::npos);
  CHECK(rule.out.find("\nGood (") != std::string::npos);
  CHECK(run_aegis({"explain", "unaligned_gemm_k"}).out == rule.out);
  CHECK(run_aegis({"explain", "IO902"}).out.find("git lfs pull") != std::string::npos);
  for (const char* topic : {"alignment", "memory-bound", "precision", "recomputation"}) {
    const auto ran = run_aegis({"explain", topic});
    CHECK(ran.exit == Exit::clean);
    CHECK(ran.out.starts_with(std::string(topic) + ": "));
    CHECK(ran.out.find("\nWhat Aegis does\n") != std::string::npos);
  }
  const auto rules = nlohmann::json::parse(run_aegis({"rules", "--format", "json"}).out);
  CHECK(rules["rules"].size() > 10);
  for (const auto& row : rules["rules"]) CHECK(run_aegis({"explain", row["code"]}).exit == Exit::clean);
}

TEST_CASE("the text forms stay as they are") {
  Folder folder;
  folder.write("mlp.onnxtxt", test::mlp());
  const auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const auto lint = run_aegis(
      {"lint", "mlp.onnxtxt", "--as", "bf16", "--preview", "--select", "AL101,AL102,MB201", "--bind", "batch=4096"});
  const auto inspect = run_aegis({"inspect", "mlp.onnxtxt", "--bind", "batch=4096"});
  const auto rewrite = run_aegis({"rewrite", "mlp.onnxtxt", "--pad=always", "--bf16", "-o", "out.onnx"});
  std::filesystem::current_path(here);
  test::check_golden("lint.txt", lint.out);
  test::check_golden("inspect.txt", inspect.out);
  test::check_golden("rewrite.txt", rewrite.out);
  test::check_golden("help.txt", run_aegis({"--help"}).out);
  test::check_golden("help_rewrite.txt", run_aegis({"rewrite", "--help"}).out);
}

TEST_CASE("a name that the model lacks is an error, not silence") {
  Folder folder;
  const std::string model = folder.write("m.onnxtxt", test::mlp());
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"lint", model, "--bind", "QQ=3"},
        {"inspect", model, "--shapes", "absent:1x2"},
        {"rewrite", model, "-o", folder.file("o.onnx"), "--bf16", "--keep", "nosuch*"}}) {
    const auto ran = run_aegis(words);
    CHECK(ran.exit == Exit::usage);
    CHECK_FALSE(ran.err.empty());
  }
}

TEST_CASE("a suggested command can be pasted into a shell") {
  CHECK(shell_word("net.onnx") == "net.onnx");
  CHECK(shell_word("$(touch x) b.onnx") == "'$(touch x) b.onnx'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("-o.onnx") == "'./-o.onnx'");
}
