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

bool refused(const Runtime& runtime, const Node& node, DType type, std::int64_t opset) {
  return runtime_kernel(runtime_row(node.op), runtime.id, type, opset) == AEGIS_KERNEL_NO;
}

}  // namespace

std::span<const Runtime> runtimes() { return table; }

const Runtime* find_runtime(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Runtime::name);
  return found == table.end() ? nullptr : &*found;
}

bool loads(const Runtime& runtime, const Node& node, std::int64_t opset) {
  // ONNX Runtime falls back to its CPU kernels for FLOAT.
  return runtime.id != AEGIS_RUNTIME_TENSORRT || !node.domain.empty() || !refused(runtime, node, DType::f32, opset);
}

bool loads_narrow(const Runtime& runtime, const Node& node, DType type, std::int64_t opset) {
  return node.domain.empty() && !refused(runtime, node, type, opset);
}

}  // namespace aegis::recast
