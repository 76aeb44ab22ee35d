#include <catch2/catch_test_macros.hpp>
#include <cstdint>

#include "tests/unit/validator/numpy_bytes.hpp"
#include "validator/inputs/npy.hpp"
#include "validator/inputs/npz.hpp"

namespace aegis {
namespace {

std::span<const std::byte> view(const std::string& text) { return std::as_bytes(std::span(text)); }
Result<Tensor> read(const std::string& bytes) { return tensor_from_npy(view(bytes), "x.npy"); }
std::string message(const std::string& bytes) {
  const auto result = read(bytes);
  return result ? "" : result.error().message;
}

const std::string six = raw<float>({1, 2, 3, 4, 5, 6});

TEST_CASE("an array of floats reads back") {
  const auto t = read(npy_bytes("<f4", "(2, 3)", six));
  REQUIRE(t);
  CHECK(t->type == DType::f32);
  CHECK(t->dims == std::vector<std::int64_t>{2, 3});
  CHECK(*to_doubles(*t) == std::vector<double>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("column-major arrays become row-major") {
  const auto t = read(npy_bytes("<f4", "(2, 3)", six, true));
  REQUIRE(t);
  CHECK(*to_doubles(*t) == std::vector<double>{1, 3, 5, 2, 4, 6});
}

TEST_CASE("big-endian arrays become little-endian") {
  const auto t = read(npy_bytes(">i4", "(2,)", std::string("\0\0\0\1\0\0\1\0", 8)));
  REQUIRE(t);
  CHECK(*to_integers(*t) == std::vector<std::int64_t>{1, 256});
}

TEST_CASE("scalars, empty arrays and every plain type are read") {
  CHECK(read(npy_bytes("<i8", "()", raw<std::int64_t>({7})))->dims.empty());
  CHECK(read(npy_bytes("<f8", "(0, 4)", ""))->elements() == 0);
  CHECK(read(npy_bytes("|b1", "(3,)", std::string("\1\0\1", 3)))->type == DType::boolean);
  CHECK(read(npy_bytes("<f2", "(1,)", std::string(2, '\0')))->type == DType::f16);
  CHECK(read(npy_bytes("<V2", "(1,)", std::string(2, '\0')))->type == DType::bf16);
}

TEST_CASE("what is no array is refused with a reason") {
  CHECK(message("hello world, this is text").find("not a .npy array") != std::string::npos);
  CHECK(message(npy_bytes("<f4", "(2, 3)", six.substr(1))).find("truncated") != std::string::npos);
  CHECK(message(npy_bytes("<f4", "(2, 3)", six + "x")).find("damaged") != std::string::npos);
  CHECK(message(npy_bytes("|O", "(2,)", six)).find("'|O'") != std::string::npos);
  CHECK(message(npy_bytes("<f4", "(2, -3)", six)).find("header") != std::string::npos);
  CHECK(message(npy_bytes("<f4", "(4611686018427387904, 4)", six)).find("truncated") != std::string::npos);
  CHECK(message(npy_bytes("<f4", "(2, 3)", six).substr(0, 40)).find("truncated") != std::string::npos);
}

TEST_CASE("archives: stored, deflated, zip64") {
  const std::vector<std::pair<std::string, std::string>> files = {
      {"x.npy", npy_bytes("<f4", "(2, 3)", six)}, {"ids.npy", npy_bytes("<i8", "(2,)", raw<std::int64_t>({5, -6}))}};
  for (const bool deflate : {false, true})
    for (const bool zip64 : {false, true}) {
      const auto arrays = tensors_from_npz(view(zip_bytes(files, {deflate, zip64})), "x.npz");
      REQUIRE(arrays);
      REQUIRE(arrays->size() == 2);
      CHECK(*to_doubles(arrays->at("x")) == std::vector<double>{1, 2, 3, 4, 5, 6});
      CHECK(*to_integers(arrays->at("ids")) == std::vector<std::int64_t>{5, -6});
    }
}

TEST_CASE("damaged archives are refused wherever they are cut or changed") {
  const std::string whole = zip_bytes({{"x.npy", npy_bytes("<f4", "(2, 3)", six)}}, {.deflate = true});
  for (std::size_t length = 0; length < whole.size(); ++length)
    CHECK_FALSE(tensors_from_npz(view(whole.substr(0, length)), "x.npz"));
  const std::string plain = zip_bytes({{"x.npy", npy_bytes("<f4", "(2, 3)", six)}});
  std::string changed = plain;
  changed[plain.find(six) + 1] ^= 1;
  const auto result = tensors_from_npz(view(changed), "x.npz");
  REQUIRE_FALSE(result);
  CHECK(result.error().message.find("checksum") != std::string::npos);
}

TEST_CASE("no single changed byte of an archive makes the reader misbehave") {
  const std::string whole = zip_bytes({{"x.npy", npy_bytes("<f4", "(2, 3)", six)}}, {.deflate = true, .zip64 = true});
  int read_anyway = 0;
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const char flip : {'\x01', '\x80', '\xff'}) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      if (const auto result = tensors_from_npz(view(changed), "x.npz")) ++read_anyway;
    }
  CHECK(read_anyway < static_cast<int>(whole.size()) * 3);  // names, versions and times may change
}

}  // namespace
}  // namespace aegis
