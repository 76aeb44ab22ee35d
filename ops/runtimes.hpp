// What is known of runtimes: which operators they have kernels for, in which types (ops/data/runtimes.tsv).
#pragma once

#include <aegis/facts/support.h>

#include <cstdint>
#include <string_view>

#include "model/dtype.hpp"

namespace aegis {

struct RuntimeRow {
  std::string_view op, ort_cpu, ort_cuda, tensorrt;  // as the file writes them
  std::int64_t gap = 0;
};
// The row of an operator of ai.onnx; nullopt-like: an empty `op` when it is not listed.
RuntimeRow runtime_row(std::string_view op);

// AEGIS_KERNEL_* of a runtime (AEGIS_RUNTIME_*) for an operator of ai.onnx in a float type at an opset. ANY: the best
// answer of all.
std::uint32_t runtime_kernel(const RuntimeRow& row, std::uint32_t runtime, DType type, std::int64_t opset);

}  // namespace aegis
