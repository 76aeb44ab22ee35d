// Every operator that Aegis knows, sorted by file name; generated from ops/std/*.cpp.
#pragma once

#include <span>

#include "ops/op.hpp"

namespace aegis {

std::span<const Op* const> op_table();

}  // namespace aegis
