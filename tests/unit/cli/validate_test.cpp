// aegis validate: what its options make.
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "models.hpp"
#include "run.hpp"

namespace aegis::test {

TEST_CASE("saved inputs are what --inputs reads back") {
  Folder folder;
  const std::string model = saved_mlp(folder), inputs = folder.file("inputs");
  const auto made =
      run_aegis({"validate", model, model, "--sets", "3", "--seed", "7", "--save-inputs", inputs, "--format", "json"});
  CHECK(made.exit == Exit::clean);
  CHECK(folder.has("inputs/test_data_set_0/input_0.pb"));
  CHECK(folder.has("inputs/test_data_set_2/input_0.pb"));
  CHECK_FALSE(folder.has("inputs/test_data_set_3"));

  const auto again = run_aegis(
      {"validate", model, model, "--inputs", inputs, "--save-inputs", folder.file("again"), "--format", "json"});
  CHECK(again.exit == Exit::clean);
  CHECK(nlohmann::json::parse(again.out)["inputs"]["count"] == 3);
  CHECK(folder.read("again/test_data_set_1/input_0.pb") == folder.read("inputs/test_data_set_1/input_0.pb"));
}

TEST_CASE("deadline: the runs end at it, and says so") {
  Folder folder;
  const std::string model = saved_mlp(folder);
  CHECK(run_aegis({"run", model, "--deadline", "0"}).exit != Exit::clean);
  const auto ran = run_aegis({"validate", model, model, "--deadline", "0", "--format", "json"});
  CHECK(ran.exit != Exit::clean);
  CHECK(ran.out.find("deadline") != std::string::npos);
}

}  // namespace aegis::test
