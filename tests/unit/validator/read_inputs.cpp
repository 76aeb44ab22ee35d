#include "validator/inputs/read_inputs.hpp"

#include <catch2/catch_test_macros.hpp>

#include "model/tensor_pb.hpp"
#include "tests/unit/validator/numpy_bytes.hpp"
#include "tests/unit/validator/scratch.hpp"

namespace aegis {
namespace {

InputSpec spec(std::string name, std::size_t position, DType type, std::vector<std::int64_t> extents) {
  std::vector<Dim> dims;
  for (const std::int64_t extent : extents)
    dims.push_back(extent < 0 ? Dim{.kind = Dim::Kind::symbol} : Dim::of(extent));
  return {.name = std::move(name), .id = ValueId{}, .position = position, .dtype = type, .dims = dims};
}

std::vector<float> count(std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i);
  return values;
}

std::string error_of(const Result<FeedSets>& result) { return result ? "" : result.error().message; }

TEST_CASE("an array that fits is one set, a longer one is cut along its first axis") {
  const Scratch dir;
  const std::string path = dir.write("x.npz", zip_bytes({{"x.npy", npy_bytes("<f4", "(4, 3)", raw(count(12)))}}));
  const std::vector<InputSpec> symbolic = {spec("x", 0, DType::f32, {-1, 3})}, two = {spec("x", 0, DType::f32, {2, 3})},
                               one = {spec("x", 0, DType::f32, {3})}, three = {spec("x", 0, DType::f32, {3, 3})};
  CHECK(read_inputs(path, symbolic)->sets.size() == 1);
  const auto halves = read_inputs(path, two);
  REQUIRE(halves);
  REQUIRE(halves->sets.size() == 2);
  CHECK(*to_doubles(halves->sets[1].feeds.at("x")) == std::vector<double>{6, 7, 8, 9, 10, 11});
  const auto rows = read_inputs(path, one);
  REQUIRE(rows);
  REQUIRE(rows->sets.size() == 4);
  CHECK(rows->sets[3].feeds.at("x").dims == std::vector<std::int64_t>{3});
  const auto uneven = read_inputs(path, three);
  REQUIRE(uneven);
  CHECK(uneven->sets.size() == 1);
  REQUIRE(uneven->notes.size() == 1);
  CHECK(uneven->notes[0].find("1 samples of 4") != std::string::npos);
}

TEST_CASE("an array that fits serves every set of one that is cut") {
  const Scratch dir;
  const std::string path = dir.write("x.npz", zip_bytes({{"x.npy", npy_bytes("<f4", "(4, 3)", raw(count(12)))},
                                                         {"mask.npy", npy_bytes("<f4", "(3,)", raw(count(3)))}}));
  const std::vector<InputSpec> specs = {spec("x", 0, DType::f32, {1, 3}), spec("mask", 1, DType::f32, {3})};
  const auto sets = read_inputs(path, specs);
  REQUIRE(sets);
  REQUIRE(sets->sets.size() == 4);
  CHECK(*to_doubles(sets->sets[2].feeds.at("mask")) == std::vector<double>{0, 1, 2});
}

TEST_CASE("folders of test data go by position") {
  const Scratch dir;
  const double a[] = {1, 2}, b[] = {3};
  for (const char* set : {"test_data_set_0", "test_data_set_10", "test_data_set_2"}) {
    dir.write(std::string(set) + "/input_0.pb", tensor_to_pb(from_doubles(DType::f32, {2}, a), "whatever"));
    dir.write(std::string(set) + "/input_2.pb", tensor_to_pb(from_doubles(DType::f32, {1}, b), ""));
  }
  std::vector<InputSpec> specs = {spec("x", 0, DType::f32, {2}), spec("w", 1, DType::f32, {5}),
                                  spec("y", 2, DType::f32, {1})};
  specs[1].required = false;
  const auto sets = read_inputs(dir.path(), specs);
  REQUIRE(sets);
  CHECK(sets->sets.size() == 3);
  CHECK(sets->sets[0].feeds.size() == 2);
  CHECK(*to_doubles(sets->sets[0].feeds.at("y")) == std::vector<double>{3});
  specs[1].required = true;
  CHECK(error_of(read_inputs(dir.path(), specs)).find("'w'") != std::string::npos);
}

TEST_CASE("single files serve the one input; a model with several asks for an archive") {
  const Scratch dir;
  const std::string npy = dir.write("x.npy", npy_bytes("<f4", "(3,)", raw(count(3))));
  const double values[] = {1, 2, 3};
  const std::string pb = dir.write("x.pb", tensor_to_pb(from_doubles(DType::f32, {3}, values), "y"));
  const std::vector<InputSpec> one = {spec("x", 0, DType::f32, {3})},
                               two = {spec("x", 0, DType::f32, {3}), spec("z", 1, DType::f32, {3})};
  CHECK(read_inputs(npy, one));
  CHECK(read_inputs(pb, one));
  CHECK(error_of(read_inputs(npy, two)).find("2 inputs (x, z)") != std::string::npos);
  CHECK(error_of(read_inputs(dir.write("x.csv", "1,2"), one)).find("expected one of these") != std::string::npos);
  CHECK_FALSE(read_inputs(dir / "absent.npz", one));
}

TEST_CASE("wrong shapes and types are refused in words") {
  const Scratch dir;
  const std::string path = dir.write("x.npy", npy_bytes("<f4", "(2, 4)", raw(count(8))));
  CHECK(
      error_of(read_inputs(path, std::vector{spec("x", 0, DType::f32, {-1, 3})})).find("is 2x4, the model takes ?x3") !=
      std::string::npos);
  CHECK(error_of(read_inputs(path, std::vector{spec("x", 0, DType::i64, {2, 4})})).find("is float, expected int64") !=
        std::string::npos);
}

TEST_CASE("types convert when no number changes") {
  const double whole[] = {1, 2, 300}, third[] = {1.0 / 3};
  CHECK(convert(from_doubles(DType::f64, {3}, whole), DType::f32, "x"));
  CHECK_FALSE(convert(from_doubles(DType::f64, {1}, third), DType::f32, "x"));
  CHECK(convert(from_doubles(DType::f32, {1}, third), DType::bf16, "x"));
  CHECK(convert(from_doubles(DType::i32, {3}, whole), DType::i64, "x"));
  CHECK_FALSE(convert(from_doubles(DType::i32, {3}, whole), DType::u8, "x"));
  CHECK_FALSE(convert(from_doubles(DType::f32, {3}, whole), DType::i64, "x"));
}

TEST_CASE("unused arrays are said to be unused") {
  const Scratch dir;
  const std::string path = dir.write("x.npz", zip_bytes({{"x.npy", npy_bytes("<f4", "(3,)", raw(count(3)))},
                                                         {"y.npy", npy_bytes("<f4", "(3,)", raw(count(3)))}}));
  const auto sets = read_inputs(path, std::vector{spec("x", 0, DType::f32, {3})});
  REQUIRE(sets);
  REQUIRE(sets->notes.size() == 1);
  CHECK(sets->notes[0].find("'y'") != std::string::npos);
}

TEST_CASE("labels are integers") {
  const Scratch dir;
  CHECK(*read_labels(dir.write("l.npy", npy_bytes("<i4", "(3,)", raw<std::int32_t>({1, 2, 3})))) ==
        std::vector<std::int64_t>{1, 2, 3});
  CHECK_FALSE(read_labels(dir.write("f.npy", npy_bytes("<f4", "(3,)", raw(count(3))))));
}

TEST_CASE("expected outputs are read by number") {
  const Scratch dir;
  const double one[] = {1};
  dir.write("output_1.pb", tensor_to_pb(from_doubles(DType::f32, {1}, one), "y"));
  dir.write("output_0.pb", tensor_to_pb(from_doubles(DType::f32, {}, one), "z"));
  const auto outputs = read_outputs(dir.path());
  REQUIRE(outputs);
  CHECK(outputs->size() == 2);
  CHECK(outputs->at(0).dims.empty());
  CHECK_FALSE(read_outputs(dir / "none"));
}

}  // namespace
}  // namespace aegis
