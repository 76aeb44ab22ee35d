// Cast and CastLike: one conversion to the type of the output.
#pragma once

#include "ops/lower.hpp"

namespace aegis {

void lower_cast(Lowering& l);

}  // namespace aegis
