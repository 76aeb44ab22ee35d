#include <catch2/catch_test_macros.hpp>
#include <chrono>

#include "exec/run.hpp"
#include "model/load.hpp"

namespace aegis {
namespace {

TEST_CASE("a run past its deadline ends at the next node, in a loop's body too") {
  const auto model = parse_text(R"(g (float[2] x, int64 n, bool go) => (float[2] y) {
    y = Loop (n, go, x) <body = b (int64 i, bool c, float[2] s) => (bool c2, float[2] t) { c2 = Identity(c) t = Neg(s) }>
  })");
  REQUIRE(model);
  const std::int64_t trips[] = {1'000'000'000};
  Tensor go = Tensor::zeros(DType::boolean, {});
  *go.as_mutable<std::uint8_t>() = 1;
  const Feeds feeds{{"x", Tensor::zeros(DType::f32, {2})}, {"n", from_integers({}, trips)}, {"go", go}};
  RunOptions options;
  options.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  const auto result = run(*model, feeds, options);
  REQUIRE_FALSE(result);
  CHECK(result.error().code == past_deadline);
}

}  // namespace
}  // namespace aegis
