// The narrow float formats in numbers, as precision rules compare with them.
#pragma once

#include <aegis/aegis.h>

#include <cstdint>
#include <string_view>

namespace aegis::sdk {

struct FloatFormat {
  std::string_view name;
  double largest;        // the largest finite value
  double infinite_from;  // the first value that rounds to infinity
  double smallest_normal;
  double zero_up_to;      // magnitudes up to here round to 0
  double unit_roundoff;   // relative error of one rounding
  double exact_integers;  // every integer up to here is exact
};

inline constexpr FloatFormat half{"fp16", 65504, 65520, 0x1p-14, 0x1p-25, 0x1p-11, 2048};
inline constexpr FloatFormat bfloat{"bf16", 0x1.fep127, 0x1.ffp127, 0x1p-126, 0x1p-134, 0x1p-8, 256};

// Null for types that are not narrow floats.
constexpr const FloatFormat* narrow_format(aegis_dtype dtype) {
  return dtype == AEGIS_DTYPE_FLOAT16 ? &half : dtype == AEGIS_DTYPE_BFLOAT16 ? &bfloat : nullptr;
}

// "bf16", "tf32": as --as and the device table write it.
constexpr std::string_view dtype_name(aegis_dtype dtype) {
  switch (dtype) {
    case AEGIS_DTYPE_FLOAT: return "fp32";
    case AEGIS_DTYPE_FLOAT16: return "fp16";
    case AEGIS_DTYPE_BFLOAT16: return "bf16";
    case AEGIS_DTYPE_DOUBLE: return "fp64";
    case AEGIS_DTYPE_TF32: return "tf32";
    case AEGIS_DTYPE_INT8: return "int8";
    case AEGIS_DTYPE_UINT8: return "uint8";
    case AEGIS_DTYPE_FLOAT8E4M3FN:
    case AEGIS_DTYPE_FLOAT8E5M2: return "fp8";
    default: return "another type";
  }
}

}  // namespace aegis::sdk
