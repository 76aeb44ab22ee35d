// What is known of runtimes: which operators they run in a narrow type, which they cannot load at all, and the newest
// opset that they read. Facts are dated by the versions in the table; what is not known counts as yes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/dtype.hpp"
#include "model/model.hpp"

namespace aegis::recast {

struct Runtime {
  std::string_view name;     // as --runtime spells it
  std::string_view version;  // what the facts were taken from
  std::int64_t newest_opset = 0;
};

std::span<const Runtime> runtimes();
const Runtime* find_runtime(std::string_view name);

// Does the runtime load a node of this operator with FLOAT data?
bool loads(const Runtime& runtime, const Node& node);
// Does it load one with data of a narrow type?
bool loads_narrow(const Runtime& runtime, const Node& node, DType type, std::int64_t opset);

}  // namespace aegis::recast
