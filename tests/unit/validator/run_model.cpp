#include "validator/run_model.hpp"

#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "model/load.hpp"
#include "model/tensor_pb.hpp"
#include "tests/unit/validator/numpy_bytes.hpp"
#include "tests/unit/validator/scratch.hpp"

namespace aegis {
namespace {

Model parse(std::string_view text) {
  auto model = parse_text(text);
  REQUIRE(model);
  return *std::move(model);
}

Model two_outputs() { return parse("g (float[2] x) => (float[2] y, float[2] z) { y = Neg(x) z = Abs(x) }"); }

std::string input(const Scratch& dir, const std::string& name = "in/input_0.pb") {
  const double x[] = {1, -2};
  return dir.write(name, tensor_to_pb(from_doubles(DType::f32, {2}, x), "x"));
}

TEST_CASE("outputs are written in order and match themselves") {
  const Scratch dir;
  input(dir);
  const auto first = run_model(two_outputs(), {.inputs = dir / "in", .out = dir / "out"});
  REQUIRE(first);
  REQUIRE(first->outputs.size() == 2);
  CHECK(first->outputs[0].name == "y");
  CHECK(first->outputs[0].dtype == "float");
  CHECK(first->outputs[1].file == (dir / "out/output_1.pb"));
  CHECK_FALSE(first->ok);
  CHECK(std::filesystem::exists(dir / "out/output_0.pb"));
  const auto second = run_model(two_outputs(), {.inputs = dir / "in", .expect = dir / "out", .rtol = 0, .atol = 0});
  REQUIRE(second);
  CHECK(second->ok == true);
  CHECK(second->outputs[1].max_abs == 0.0);
  CHECK(second->outputs[1].file.empty());
}

TEST_CASE("a wrong expectation is named with its place") {
  const Scratch dir;
  input(dir);
  const double y[] = {-1, 2.5};
  dir.write("want/output_0.pb", tensor_to_pb(from_doubles(DType::f32, {2}, y), "y"));
  const auto run = run_model(two_outputs(), {.inputs = dir / "in", .expect = dir / "want"});
  REQUIRE(run);
  CHECK(run->ok == false);
  CHECK(run->outputs[0].ok == false);
  CHECK(run->outputs[0].max_abs == 0.5);
  CHECK(run->outputs[0].reason.find("[1]") != std::string::npos);
  CHECK_FALSE(run->outputs[1].ok);
}

TEST_CASE("an expectation for an output that is not there fails") {
  const Scratch dir;
  input(dir);
  const double y[] = {0, 0};
  dir.write("want/output_2.pb", tensor_to_pb(from_doubles(DType::f32, {2}, y), "q"));
  const auto run = run_model(two_outputs(), {.inputs = dir / "in", .expect = dir / "want"});
  REQUIRE(run);
  CHECK(run->ok == false);
}

TEST_CASE("several sets get a folder each") {
  const Scratch dir;
  input(dir, "data/test_data_set_0/input_0.pb");
  input(dir, "data/test_data_set_1/input_0.pb");
  const auto run = run_model(two_outputs(), {.inputs = dir / "data", .out = dir / "out"});
  REQUIRE(run);
  CHECK(run->outputs.size() == 4);
  CHECK(std::filesystem::exists(dir / "out/test_data_set_1/output_1.pb"));
  const auto again = run_model(two_outputs(), {.inputs = dir / "data", .expect = dir / "out"});
  REQUIRE(again);
  CHECK(again->ok == true);
  std::filesystem::remove_all(dir / "out/test_data_set_1");
  CHECK_FALSE(run_model(two_outputs(), {.inputs = dir / "data", .expect = dir / "out"}));
}

TEST_CASE("a model runs without inputs of its own on made-up ones, and says so") {
  const auto run = run_model(two_outputs(), {});
  REQUIRE(run);
  CHECK(run->inputs == "synthetic");
  CHECK(run->outputs.size() == 2);
  const auto constant = run_model(parse("g () => (float[2] y) <float[2] w = {1.0, 2.0}> { y = Neg(w) }"), {});
  REQUIRE(constant);
  CHECK(constant->outputs.size() == 1);
}

TEST_CASE("nodes that cannot be run are named") {
  const Model model = parse(R"(<ir_version: 10, opset_import: ["" : 21, "my.domain" : 1]>
    g (float[2] x) => (float[2] y) { y = my.domain.Mystery(x) })");
  const auto run = run_model(model, {});
  REQUIRE_FALSE(run);
  CHECK(run.error().fault == Fault::validation);
  REQUIRE(run.error().notes.size() == 1);
  CHECK(run.error().notes[0].find("Mystery") != std::string::npos);
}

}  // namespace
}  // namespace aegis
