#include <catch2/catch_test_macros.hpp>

#include "model/load.hpp"
#include "tests/unit/validator/scratch.hpp"
#include "validator/engines/engine.hpp"
#include "validator/validate.hpp"

namespace aegis {
namespace {

std::string refusal(const std::string& engine) {
  const auto found = find_engine(engine);
  return found ? "" : found.error().message;
}

TEST_CASE("an engine that is not ONNX Runtime is refused with the reason") {
  const Scratch dir;
  CHECK(refusal("ort:" + (dir / "absent.so")).find("is no file") != std::string::npos);
  CHECK(refusal("ort:" + dir.write("text.so", "not a library")).find("cannot be opened") != std::string::npos);
  CHECK(refusal("cuda").find("expected cpu or ort[:PATH]") != std::string::npos);
}

// Present where the onnxruntime wheel is installed beside the python3 on PATH, or AEGIS_ORT_LIB names the library.
TEST_CASE("ONNX Runtime gives a second opinion where it is installed") {
  const auto engine = find_engine("ort");
  if (!engine) SKIP(engine.error().message);
  CHECK((*engine)->name().starts_with("ort 1."));
  const auto model = parse_text(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[n,3] x, int64[2] pick) => (float[n,2] y, float[n,2] z) <float[3,3] w = {1.0, -2.0, 3.0, 0.5, 1.5, -1.0, 2.0, 0.25, 1.0}>
    { p = MatMul(x, w) q = Softmax<axis = 1>(p) y = Gather<axis = 1>(q, pick) z = Relu(y) })");
  REQUIRE(model);
  const auto session = (*engine)->prepare(*model, RunOptions{});
  REQUIRE(session);
  const double x[] = {1, 2, 3, -1, 0, 1};
  const std::int64_t pick[] = {0, 2};
  const auto result = (*session)->run({{"x", from_doubles(DType::f32, {2, 3}, x)}, {"pick", from_integers({2}, pick)}});
  REQUIRE(result);
  REQUIRE(result->outputs.size() == 2);
  CHECK(result->outputs[0].dims == std::vector<std::int64_t>{2, 2});
  CHECK(result->names == std::vector<std::string>{"y", "z"});
  CHECK_FALSE((*session)->run({{"x", from_doubles(DType::f32, {3, 2}, x)}, {"pick", from_integers({2}, pick)}}));
  const auto verdict = validate(*model, *model, {.engine = "ort"});
  REQUIRE(verdict);
  CHECK(verdict->verdict == Verdict::pass);
  CHECK(verdict->engine == (*engine)->name());
}

TEST_CASE("a model that ONNX Runtime refuses is not run, and said so") {
  const auto engine = find_engine("ort");
  if (!engine) SKIP(engine.error().message);
  const auto model = parse_text(R"(<ir_version: 10, opset_import: ["" : 21]>
    g (bfloat16[2,2] x) => (bfloat16[2,2] y) { y = MatMul(x, x) })");
  REQUIRE(model);
  const auto verdict = validate(*model, *model, {.engine = "ort"});
  REQUIRE(verdict);
  CHECK(verdict->verdict == Verdict::degenerate);
  CHECK(verdict->reason == "not_run");
  CHECK(verdict->detail.find("onnx runtime") != std::string::npos);
}

}  // namespace
}  // namespace aegis
