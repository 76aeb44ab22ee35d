#include "model/dtype.hpp"

#include <array>
#include <string_view>

namespace aegis {
namespace {

struct Row {
  std::string_view name;
  int bits;
};
// Indexed by TensorProto.DataType; names as ONNX's text form spells them.
constexpr std::array<Row, 27> rows = {
    {{"undefined", 0},      {"float", 32},    {"uint8", 8},        {"int8", 8},           {"uint16", 16},
     {"int16", 16},         {"int32", 32},    {"int64", 64},       {"string", 0},         {"bool", 8},
     {"float16", 16},       {"double", 64},   {"uint32", 32},      {"uint64", 64},        {"complex64", 64},
     {"complex128", 128},   {"bfloat16", 16}, {"float8e4m3fn", 8}, {"float8e4m3fnuz", 8}, {"float8e5m2", 8},
     {"float8e5m2fnuz", 8}, {"uint4", 4},     {"int4", 4},         {"float4e2m1", 4},     {"float8e8m0", 8},
     {"uint2", 2},          {"int2", 2}}};

const Row& row(DType type) {
  const auto i = static_cast<std::size_t>(type);
  return i < rows.size() ? rows[i] : rows[0];
}

}  // namespace

int bits(DType type) { return row(type).bits; }

std::uint64_t raw_bytes(DType type, std::uint64_t count) {
  const auto width = static_cast<std::uint64_t>(bits(type));
  if (width >= 8) return count > UINT64_MAX / (width / 8) ? UINT64_MAX : count * (width / 8);
  if (width == 0) return 0;
  const std::uint64_t per_byte = 8 / width;
  return count / per_byte + (count % per_byte != 0 ? 1 : 0);
}

std::string_view name(DType type) { return row(type).name; }

std::optional<DType> dtype_from_name(std::string_view name) {
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i].name == name) return static_cast<DType>(i);
  return std::nullopt;
}

}  // namespace aegis
