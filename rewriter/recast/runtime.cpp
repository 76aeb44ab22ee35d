#include "rewriter/recast/runtime.hpp"

#include <aegis/aegis.h>

#include <algorithm>
#include <array>

#include "ops/runtimes.hpp"

namespace aegis::recast {
namespace {

constexpr std::array table = {
    Runtime{"tensorrt", AEGIS_RUNTIME_TENSORRT, 25},  // the parser of TensorRT 11
    Runtime{"ort-cuda", AEGIS_RUNTIME_ORT_CUDA, 28},  // ONNX Runtime 1.32
    Runtime{"ort-cpu", AEGIS_RUNTIME_ORT_CPU, 28},
};

Answer kernel(const Node& node, std::uint32_t runtime, DType type, std::int64_t opset) {
  if (!node.domain.empty()) return Answer::unknown;  // the table knows ai.onnx alone
  switch (runtime_kernel(runtime_row(node.op), runtime, type, opset)) {
    case AEGIS_KERNEL_NO: return Answer::no;
    case AEGIS_KERNEL_UNKNOWN: return Answer::unknown;
    default: return Answer::yes;
  }
}

}  // namespace

std::span<const Runtime> runtimes() { return table; }

const Runtime* find_runtime(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Runtime::name);
  return found == table.end() ? nullptr : &*found;
}

Answer loads(const Runtime& runtime, const Node& node, std::int64_t opset) {
  // ONNX Runtime falls back to its CPU kernels for FLOAT.
  const std::uint32_t asked = runtime.id == AEGIS_RUNTIME_ORT_CUDA ? std::uint32_t{AEGIS_RUNTIME_ORT_CPU} : runtime.id;
  return kernel(node, asked, DType::f32, opset);
}

Answer loads_narrow(const Runtime& runtime, const Node& node, DType type, std::int64_t opset) {
  return kernel(node, runtime.id, type, opset);
}

}  // namespace aegis::recast
