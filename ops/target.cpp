#include "ops/target.hpp"

#include <algorithm>
#include <array>

namespace aegis {
namespace {

struct ComputeRow {
  std::string_view name;
  Compute compute;
  double bytes;
};
// The first row of a type gives its name.
constexpr std::array rows = {ComputeRow{"fp32", AEGIS_DTYPE_FLOAT, 4},
                             ComputeRow{"tf32", AEGIS_DTYPE_TF32, 4},
                             ComputeRow{"fp16", AEGIS_DTYPE_FLOAT16, 2},
                             ComputeRow{"bf16", AEGIS_DTYPE_BFLOAT16, 2},
                             ComputeRow{"fp64", AEGIS_DTYPE_DOUBLE, 8},
                             ComputeRow{"int8", AEGIS_DTYPE_INT8, 1},
                             ComputeRow{"uint8", AEGIS_DTYPE_UINT8, 1},
                             ComputeRow{"fp8", AEGIS_DTYPE_FLOAT8E4M3FN, 1},
                             ComputeRow{"fp8_e4m3", AEGIS_DTYPE_FLOAT8E4M3FN, 1},
                             ComputeRow{"fp8_e5m2", AEGIS_DTYPE_FLOAT8E5M2, 1},
                             ComputeRow{"fp4", AEGIS_DTYPE_FLOAT4E2M1, 0.5},
                             ComputeRow{"int4", AEGIS_DTYPE_INT4, 0.5},
                             ComputeRow{"uint4", AEGIS_DTYPE_UINT4, 0.5},
                             ComputeRow{"fp8_block128", AEGIS_DTYPE_FP8_BLOCK128, 1},
                             ComputeRow{"mxfp8", AEGIS_DTYPE_MXFP8, 1},
                             ComputeRow{"nvfp4", AEGIS_DTYPE_NVFP4, 0.5},
                             ComputeRow{"mxfp4", AEGIS_DTYPE_MXFP4, 0.5}};

// The table lists one rate for each width: other encodings of that width share it.
Compute rate_key(Compute compute) {
  switch (compute) {
    case AEGIS_DTYPE_FLOAT8E5M2:
    case AEGIS_DTYPE_FP8_BLOCK128:
    case AEGIS_DTYPE_MXFP8: return AEGIS_DTYPE_FLOAT8E4M3FN;
    case AEGIS_DTYPE_NVFP4:
    case AEGIS_DTYPE_MXFP4: return AEGIS_DTYPE_FLOAT4E2M1;
    case AEGIS_DTYPE_UINT8: return AEGIS_DTYPE_INT8;
    default: return compute;
  }
}

}  // namespace

std::optional<Compute> compute_from_name(std::string_view name) {
  for (const auto& row : rows)
    if (row.name == name) return row.compute;
  return std::nullopt;
}

std::string_view compute_name(Compute compute) {
  for (const auto& row : rows)
    if (row.compute == compute) return row.name;
  return compute < 256 ? name(static_cast<DType>(compute)) : "undefined";
}

double storage_bytes(Compute compute) {
  for (const auto& row : rows)
    if (row.compute == compute) return row.bytes;
  return compute < 256 ? bits(static_cast<DType>(compute)) / 8.0 : 0;
}

const Rate* Target::rate(Compute compute) const {
  const auto key = rate_key(compute);
  const auto it = std::find_if(rates.begin(), rates.end(), [&](const Rate& r) { return r.compute == key; });
  return it == rates.end() ? nullptr : &*it;
}

// cuBLAS documentation ("Tensor Core Usage"), NVIDIA's matrix multiplication guide, Transformer Engine and CUTLASS
// documentation. Plain FLOAT on CUDA cores asks for nothing.
Alignment Target::alignment(Compute compute) const {
  const auto soft = [&](double bytes, std::int64_t sparse = 1) {
    return Alignment{AEGIS_ALIGN_SOFT, static_cast<std::int64_t>(fast_path_bytes / bytes),
                     static_cast<std::int64_t>(best_bytes / bytes), sparse};
  };
  switch (compute) {
    case AEGIS_DTYPE_DOUBLE: return soft(8);
    case AEGIS_DTYPE_TF32: return soft(4);
    case AEGIS_DTYPE_FLOAT16:
    case AEGIS_DTYPE_BFLOAT16: return soft(2, 16);
    case AEGIS_DTYPE_INT8:
    case AEGIS_DTYPE_UINT8: return soft(1, 32);
    case AEGIS_DTYPE_FLOAT8E4M3FN:
    case AEGIS_DTYPE_FLOAT8E5M2: return {AEGIS_ALIGN_HARD, 16, 128, 1};
    case AEGIS_DTYPE_MXFP8: return {AEGIS_ALIGN_HARD, 32, 32, 1};
    case AEGIS_DTYPE_FP8_BLOCK128: return {AEGIS_ALIGN_HARD, 128, 128, 1};
    case AEGIS_DTYPE_FLOAT4E2M1:
    case AEGIS_DTYPE_NVFP4:
    case AEGIS_DTYPE_MXFP4: return {AEGIS_ALIGN_HARD, 32, 32, 1};
    default: return {};
  }
}

Compute product_compute(const Target& target, Compute stored, bool tf32) {
  if (stored != AEGIS_DTYPE_TF32 && stored != AEGIS_DTYPE_FLOAT) return stored;
  return tf32 && target.rate(AEGIS_DTYPE_TF32) != nullptr ? AEGIS_DTYPE_TF32 : AEGIS_DTYPE_FLOAT;
}

}  // namespace aegis
