#include "validator/compare/crop.hpp"

#include <catch2/catch_test_macros.hpp>

namespace aegis {
namespace {

// 2 x 6 lanes of which 2 + 2 are valid: v v p v v p.
const std::vector<Origin::Axis> padded_heads = {{.axis = -1, .runs = {{2, 1}, {2, 1}}, .lane = 0.0}};
const double numbers[] = {1, 2, 0, 3, 4, 0, 5, 6, 0, 7, 8, 0};

TEST_CASE("the crop box holds the valid lanes in order") {
  const auto valid = crop(from_doubles(DType::f32, {2, 6}, numbers), padded_heads);
  REQUIRE(valid);
  CHECK(valid->dims == std::vector<std::int64_t>{2, 4});
  CHECK(*to_doubles(*valid) == std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("padding lanes must hold the declared constant") {
  const auto clean = lane_fault(from_doubles(DType::f32, {2, 6}, numbers), padded_heads, 0);
  REQUIRE(clean);
  CHECK_FALSE(*clean);
  double dirty[12];
  std::copy(std::begin(numbers), std::end(numbers), dirty);
  dirty[8] = 1e-6;
  const auto fault = lane_fault(from_doubles(DType::f32, {2, 6}, dirty), padded_heads, 0);
  REQUIRE(fault);
  REQUIRE(*fault);
  CHECK((*fault)->at == std::vector<std::int64_t>{1, 2});
  CHECK((*fault)->expected == 0);
  CHECK_FALSE(*lane_fault(from_doubles(DType::f32, {2, 6}, dirty), padded_heads, 1e-3));
}

TEST_CASE("lanes without a known constant are free") {
  auto axes = padded_heads;
  axes[0].lane.reset();
  double dirty[12] = {1, 2, 9, 3, 4, 9, 5, 6, 9, 7, 8, 9};
  CHECK_FALSE(*lane_fault(from_doubles(DType::f32, {2, 6}, dirty), axes, 0));
}

TEST_CASE("a constant is rounded to the value's type before it is asked for") {
  const std::vector<Origin::Axis> axes = {{.axis = 0, .runs = {{1, 1}}, .lane = 0.3}};
  const double values[] = {1, 0.3};
  CHECK_FALSE(*lane_fault(from_doubles(DType::bf16, {2}, values), axes, 0));
}

TEST_CASE("embedding is the inverse of cropping") {
  const Tensor padded = from_doubles(DType::bf16, {2, 6}, numbers);
  const auto back = embed(*crop(padded, padded_heads), {2, 6}, padded_heads);
  REQUIRE(back);
  CHECK(*back->data == *padded.data);
}

TEST_CASE("a map that does not fit the value is an error") {
  CHECK_FALSE(crop(from_doubles(DType::f32, {3, 4}, numbers), padded_heads));
  CHECK_FALSE(crop(from_doubles(DType::f32, {2, 6}, numbers), {{.axis = 2, .runs = {{1, 0}}, .lane = {}}}));
}

}  // namespace
}  // namespace aegis
