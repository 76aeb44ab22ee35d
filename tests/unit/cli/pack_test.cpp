// --plugin: a pack's rules in every verb that speaks of rules.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "models.hpp"
#include "run.hpp"

namespace aegis::test {

static const std::string pack = std::string(AEGIS_PACKS) + "/pack_fine.so";

TEST_CASE("the rules of a pack are listed, explained, configured and run") {
  Folder folder;
  const std::string model = saved_mlp(folder);
  CHECK(run_aegis({"rules", "--plugin", pack}).out.find("TT101  always") != std::string::npos);
  CHECK(run_aegis({"rules"}).out.find("TT101") == std::string::npos);
  CHECK(run_aegis({"explain", "TT101", "--plugin", pack}).out.find("A rule of the tests.") != std::string::npos);
  CHECK(run_aegis({"explain", "TT101"}).exit == Exit::usage);

  const std::string config = folder.write("aegis.toml", "[rules]\nTT101 = \"error\"\n");
  CHECK(run_aegis({"lint", model, "--config", config}).exit == Exit::usage);
  const auto ran = run_aegis({"lint", model, "--config", config, "--plugin", pack, "--format", "json"});
  CHECK(ran.exit == Exit::gate);
  const auto document = nlohmann::json::parse(ran.out);
  REQUIRE(document["packs"].size() == 1);
  CHECK(document["packs"][0]["name"] == "test_pack");
  CHECK(document["packs"][0]["sha256"].get<std::string>().size() == 64);
  bool found = false;
  for (const auto& finding : document["models"][0]["findings"]) found = found || finding["code"] == "TT101";
  CHECK(found);
}

TEST_CASE("a rule that crashes, hangs or prints costs its file and nothing else") {
  Folder folder;
  const std::string model = saved_mlp(folder);
  const auto lint = [&](const std::string& what) {
    return run_aegis({"lint", folder.file("absent.onnx"), model, "--plugin",
                      std::string(AEGIS_PACKS) + "/pack_" + what + ".so", "--limit", "worker_wall_seconds=2",
                      "--format", "json"});
  };
  for (const auto& [what, said] : {std::pair("crashes", "SIGABRT"), std::pair("hangs", "no answer after 2 s")}) {
    const auto ran = lint(what);
    CHECK(ran.exit == Exit::internal);
    const auto models = nlohmann::json::parse(ran.out)["models"];
    REQUIRE(models.size() == 2);
    CHECK(models[0]["error"]["code"] != "IO908");
    CHECK(models[1]["error"]["code"] == "IO908");
    const std::string message = models[1]["error"]["message"];
    CHECK(message.find(said) != std::string::npos);
    CHECK(message.find("while linting") != std::string::npos);
  }
  CHECK(nlohmann::json::parse(lint("prints").out)["models"][1]["error"].is_null());
}

TEST_CASE("a pack that cannot be loaded ends the run before any model is read") {
  const auto ran = run_aegis({"lint", "absent.onnx", "--plugin", std::string(AEGIS_PACKS) + "/pack_major.so"});
  CHECK(ran.exit == Exit::usage);
  CHECK(ran.err.find("built for ABI 2.0") != std::string::npos);
  CHECK(run_aegis({"rules", "--plugin", "/absent/pack.so"}).exit == Exit::file);
}

}  // namespace aegis::test
