// Lowerings of the Scatter family.
#pragma once

#include "ops/lower.hpp"

namespace aegis {

void lower_scatter_nd(Lowering& l);
void lower_scatter_elements(Lowering& l);

}  // namespace aegis
