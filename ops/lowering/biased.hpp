// Activations of com.microsoft: one element function of the input plus an optional bias.
#pragma once

#include "ops/lower.hpp"

namespace aegis {

void lower_biased(Lowering& l, Fn fn, std::array<double, 4> p = {});
template <Fn fn>
void lower_biased(Lowering& l) {
  lower_biased(l, fn);
}

}  // namespace aegis
