// The verb `rewrite` from file to file.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "models.hpp"
#include "run.hpp"

using namespace aegis;
using test::Folder;
using test::run_aegis;
using test::saved_mlp;

namespace {

nlohmann::json entry_of(const test::Ran& ran) {
  INFO(ran.out << ran.err);
  const auto document = nlohmann::json::parse(ran.out);
  REQUIRE(document["models"].size() == 1);
  return document["models"][0];
}

}  // namespace

TEST_CASE("padding and a recast go through, validated, and a second run changes nothing") {
  Folder folder;
  const std::string model = saved_mlp(folder);
  const auto ran =
      run_aegis({"rewrite", model, "-o", folder.file("out.onnx"), "--pad=always", "--bf16", "--format", "json"});
  const auto entry = entry_of(ran);
  CHECK(ran.exit == Exit::clean);
  CHECK(entry["error"].is_null());
  CHECK(entry["changed"] == true);
  CHECK(entry["output"] == folder.file("out.onnx"));
  for (const char* key : {"patches", "refused", "dims", "loads_in", "precision", "memory", "validation"})
    CHECK(entry.contains(key));
  CHECK(!entry["patches"].empty());
  REQUIRE(!entry["dims"].empty());
  CHECK(entry["dims"][0]["from"] == 62);
  CHECK(entry["dims"][0]["to"] == 64);
  CHECK(entry["precision"]["nodes_low"].get<int>() >= 2);
  CHECK(entry["validation"]["verdict"] == "pass");
  CHECK(entry["validation"]["evidence"] == "synthetic");
  for (const auto& runtime : entry["loads_in"]) CHECK(runtime["proved"] == false);

  const auto again = run_aegis({"rewrite", folder.file("out.onnx"), "-o", folder.file("twice.onnx"), "--pad=always",
                                "--bf16", "--format", "json"});
  CHECK(again.exit == Exit::clean);
  CHECK(entry_of(again)["changed"] == false);
  CHECK(folder.read("twice.onnx") == folder.read("out.onnx"));
}

TEST_CASE("a runtime is listed only when its table knows every node") {
  Folder folder;
  const auto of = [&](const std::string& name, int opset) {
    const std::string path = folder.write(name, "<ir_version: 8, opset_import: [\"\" : " + std::to_string(opset) +
                                                    "]>\ng (float[8,16] x) => (float[8,4] y) <" +
                                                    test::initializer("w", {16, 4}, 1) + "> { y = MatMul(x, w) }");
    return entry_of(run_aegis({"rewrite", path, "--dry-run", "--fp16", "--keep", "*", "--format", "json"}));
  };
  const auto lists = [](const nlohmann::json& list, std::string_view runtime) {
    for (const auto& entry : list)
      if (entry["runtime"] == runtime) return true;
    return false;
  };
  const auto known = of("known.onnxtxt", 17);
  CHECK(lists(known["loads_in"], "tensorrt"));
  CHECK(known["loads_unknown"].empty());
  const auto newer = of("newer.onnxtxt", 21);  // past the table of TensorRT
  CHECK(!lists(newer["loads_in"], "tensorrt"));
  REQUIRE(lists(newer["loads_unknown"], "tensorrt"));
  CHECK(newer["loads_unknown"][0]["nodes_unknown"] == 1);
  CHECK(newer["loads_unknown"][0]["nodes"] == 1);
  CHECK(lists(newer["loads_in"], "ort-cpu"));
}

TEST_CASE("a rule that aegis.toml ignores pins nothing") {
  Folder folder;
  const std::string path =
      folder.write("head.onnxtxt",
                   "<ir_version: 10, opset_import: [\"\" : 21]>\n"
                   "g (float[8,64] x) => (float[8,100] y) <" +
                       test::initializer("w", {64, 100}, 1) + "> { [fc] l = MatMul(x, w)  [smax] y = Softmax(l) }");
  const auto pins = [&](const std::string& config) {
    const std::string file = folder.write("aegis.toml", config);
    const auto entry =
        entry_of(run_aegis({"rewrite", path, "--dry-run", "--bf16", "--config", file, "--format", "json"}));
    bool found = false;
    for (const auto& pin : entry["precision"]["pins"]) found = found || pin["reason"] == "PR318";
    return found;
  };
  CHECK(pins(""));
  CHECK(!pins("[rules]\nignore = ['PR318']\n"));
}

TEST_CASE("padding alone keeps every bit on the CPU engine") {
  Folder folder;
  const auto ran =
      run_aegis({"rewrite", saved_mlp(folder), "-o", folder.file("out.onnx"), "--pad=always", "--format", "json"});
  const auto entry = entry_of(ran);
  CHECK(ran.exit == Exit::clean);
  CHECK(entry["precision"].is_null());
  REQUIRE(entry["validation"].is_object());
  CHECK(entry["validation"]["verdict"] == "pass");
  for (const auto& output : entry["validation"]["accuracy"]["outputs"]) CHECK(output["bit_exact"] == true);
}

TEST_CASE("a model that needs nothing is copied byte for byte") {
  Folder folder;
  const std::string model = saved_mlp(folder);
  const auto ran =
      run_aegis({"rewrite", model, "-o", folder.file("out.onnx"), "--bf16", "--keep", "*", "--format", "json"});
  CHECK(ran.exit == Exit::clean);
  CHECK(entry_of(ran)["changed"] == false);
  CHECK(entry_of(ran)["validation"].is_null());
  CHECK(folder.read("out.onnx") == folder.read("mlp.onnx"));
}

TEST_CASE("a failed gate drops the lossy change, says so, and is exit 4") {
  Folder folder;
  const std::string model = saved_mlp(folder);
  const auto ran = run_aegis({"rewrite", model, "-o", folder.file("out.onnx"), "--pad=always", "--bf16", "--min-snr",
                              "300", "--format", "json"});
  const auto entry = entry_of(ran);
  CHECK(ran.exit == Exit::validation);
  REQUIRE(!entry["dropped"].empty());
  CHECK(entry["dropped"].back() == "recast_float");
  CHECK(entry["changed"] == true);  // the padding keeps its bits and stays
  CHECK(folder.has("out.onnx"));
  for (const auto& patch : entry["patches"]) CHECK(patch["safety"] != "lossy");

  const auto always =
      run_aegis({"rewrite", model, "-o", folder.file("none.onnx"), "--bf16", "--check", "always", "--min-snr", "300"});
  CHECK(always.exit == Exit::validation);
  CHECK(!folder.has("none.onnx"));
}

TEST_CASE("what was not validated is never called validated") {
  Folder folder;
  const auto ran =
      run_aegis({"rewrite", saved_mlp(folder), "-o", folder.file("out.onnx"), "--bf16", "--check", "never"});
  CHECK(ran.exit == Exit::clean);
  CHECK(ran.out.find("NOT VALIDATED") != std::string::npos);
  CHECK(ran.out.find("validation: pass") == std::string::npos);
}

TEST_CASE("nothing is overwritten by accident") {
  Folder folder;
  const std::string model = saved_mlp(folder);
  const std::string before = folder.read("mlp.onnx");
  const std::string other = folder.write("other.onnx", "precious");
  const auto exists = run_aegis({"rewrite", model, "-o", other, "--bf16"});
  CHECK(exists.exit == Exit::file);
  CHECK(exists.err.find("--force") != std::string::npos);
  CHECK(folder.read("other.onnx") == "precious");
  CHECK(run_aegis({"rewrite", model, "-o", model, "--bf16", "--force"}).exit == Exit::usage);
  CHECK(run_aegis({"rewrite", model, "-o", folder.file("./mlp.onnx"), "--bf16"}).exit == Exit::usage);
  CHECK(folder.read("mlp.onnx") == before);

  std::filesystem::create_symlink(model, folder.file("link.onnx"));
  CHECK(run_aegis({"rewrite", folder.file("link.onnx"), "--in-place", "--bf16"}).exit == Exit::file);
  CHECK(folder.read("mlp.onnx") == before);

  const std::size_t files = folder.files();
  CHECK(run_aegis({"rewrite", model, "--bf16", "--dry-run"}).exit == Exit::clean);
  CHECK(folder.read("mlp.onnx") == before);
  CHECK(folder.files() == files);

  CHECK(run_aegis({"rewrite", model, "-o", other, "--bf16", "--force"}).exit == Exit::clean);
  CHECK(folder.read("other.onnx") != "precious");
  CHECK(run_aegis({"rewrite", model, "--in-place", "--bf16"}).exit == Exit::clean);
  CHECK(folder.read("mlp.onnx") == folder.read("other.onnx"));
  CHECK(folder.files() == files);
}

TEST_CASE("a report never lands on a model, the result or another report") {
  Folder folder;
  const std::string model = saved_mlp(folder), out = folder.file("out.onnx"), report = folder.file("r.json");
  const std::string before = folder.read("mlp.onnx");
  CHECK(run_aegis({"lint", model, "--format", "json=" + model}).exit == Exit::usage);
  CHECK(folder.read("mlp.onnx") == before);
  CHECK(run_aegis({"rewrite", model, "-o", out, "--pad=always", "--check", "never", "--format", "json=" + out}).exit ==
        Exit::usage);
  CHECK(run_aegis({"lint", model, "--format", "json=" + report, "--format", "text=" + report}).exit == Exit::usage);
  CHECK(run_aegis({"lint", model, "--format", "json=" + report, "--format", "text"}).exit == Exit::clean);
}

TEST_CASE("a file that cannot be read, and a folder that cannot be written, are exit 3") {
  Folder folder;
  const auto absent =
      run_aegis({"rewrite", folder.file("absent.onnx"), "-o", folder.file("out.onnx"), "--bf16", "--format", "json"});
  CHECK(absent.exit == Exit::file);
  CHECK(entry_of(absent)["error"]["code"].get<std::string>().starts_with("IO"));
  CHECK(!folder.has("out.onnx"));
  const auto nowhere =
      run_aegis({"rewrite", saved_mlp(folder), "-o", folder.file("no/such/out.onnx"), "--bf16", "--format", "json"});
  CHECK(nowhere.exit == Exit::file);
  CHECK(entry_of(nowhere)["output"].is_null());
}

TEST_CASE("the option --diff shows the changed lines of the text form") {
  Folder folder;
  const auto ran = run_aegis({"rewrite", saved_mlp(folder), "--bf16", "--dry-run", "--diff"});
  CHECK(ran.exit == Exit::clean);
  CHECK(ran.out.find("\n+") != std::string::npos);
  CHECK(ran.out.find("Cast") != std::string::npos);
}
