// Models that would run for ever or take all memory end in an error instead.
#include <catch2/catch_test_macros.hpp>

#include "exec/run.hpp"
#include "model/load.hpp"

namespace aegis {
namespace {

Result<RunResult> run_text(std::string_view text, const Feeds& feeds) {
  const auto model = parse_text(text);
  REQUIRE(model);
  return run(*model, feeds, {});
}

TEST_CASE("functions that call each other in a circle are an error") {
  const auto result = run_text(R"(<ir_version: 10, opset_import: ["" : 21, "f" : 1]>
    g (float[2] x) => (float[2] y) { y = f.a(x) }
    <domain: "f", opset_import: ["" : 21, "f" : 1]> a (p) => (q) { q = f.b(p) }
    <domain: "f", opset_import: ["" : 21, "f" : 1]> b (p) => (q) { q = f.a(p) })",
                               {{"x", Tensor::zeros(DType::f32, {2})}});
  REQUIRE_FALSE(result);
  CHECK(result.error().message.find("64 levels") != std::string::npos);
}

TEST_CASE("a Range too long for memory is an error") {
  const std::int64_t start[] = {0}, limit[] = {1'000'000'000'000}, delta[] = {1};
  const auto result =
      run_text("g (int64 a, int64 b, int64 c) => (int64[n] y) { y = Range(a, b, c) }",
               {{"a", from_integers({}, start)}, {"b", from_integers({}, limit)}, {"c", from_integers({}, delta)}});
  CHECK_FALSE(result);
}

}  // namespace
}  // namespace aegis
