// Element types, numbered as ONNX's TensorProto.DataType.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace aegis {

enum class DType : std::uint8_t {
  undefined = 0,
  f32 = 1,
  u8 = 2,
  i8 = 3,
  u16 = 4,
  i16 = 5,
  i32 = 6,
  i64 = 7,
  string = 8,
  boolean = 9,
  f16 = 10,
  f64 = 11,
  u32 = 12,
  u64 = 13,
  c64 = 14,
  c128 = 15,
  bf16 = 16,
  f8e4m3fn = 17,
  f8e4m3fnuz = 18,
  f8e5m2 = 19,
  f8e5m2fnuz = 20,
  u4 = 21,
  i4 = 22,
  f4e2m1 = 23,
  f8e8m0 = 24,
  u2 = 25,
  i2 = 26,
};

// Bits of one element; 0 for strings and unknown types.
int bits(DType type);
// Bytes that `count` elements take when stored raw (4-bit types are packed two in a byte); 0 for strings.
std::uint64_t raw_bytes(DType type, std::uint64_t count);
// The name ONNX's text form uses: "float", "bfloat16", "int64"; "undefined" when unknown.
std::string_view name(DType type);
std::optional<DType> dtype_from_name(std::string_view name);

constexpr bool is_float(DType type) {
  return type == DType::f32 || type == DType::f16 || type == DType::bf16 || type == DType::f64 ||
         (type >= DType::f8e4m3fn && type <= DType::f8e5m2fnuz) || type == DType::f4e2m1 || type == DType::f8e8m0;
}
constexpr bool is_narrow_float(DType type) { return type == DType::f16 || type == DType::bf16; }

}  // namespace aegis
