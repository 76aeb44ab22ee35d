// Runtimes as targets of a recast: who loads a file, by the kernel table of ops/runtimes. A plan may take what is not
// known for a yes; a report says that it is not known.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/dtype.hpp"
#include "model/model.hpp"
#include "ops/type.hpp"

namespace aegis::recast {

struct Runtime {
  std::string_view name;          // as --runtime spells it
  std::uint32_t id = 0;           // AEGIS_RUNTIME_*
  std::int64_t newest_opset = 0;  // that a version in use reads
};

std::span<const Runtime> runtimes();
const Runtime* find_runtime(std::string_view name);

// Does the runtime load a node of this operator with FLOAT data?
Answer loads(const Runtime& runtime, const Node& node, std::int64_t opset);
// Does it load one with data of a narrow type? Kernels are looked up at the opset: an old kernel may be gone.
Answer loads_narrow(const Runtime& runtime, const Node& node, DType type, std::int64_t opset);

}  // namespace aegis::recast
