// Lowerings of the Reduce family.
#pragma once

#include "ops/lower.hpp"

namespace aegis {

// The axes as bits; nullopt when they are not known yet. They are an attribute, and an input from opset `input_since`
// on; none means all, or none with noop_with_empty_axes.
std::optional<std::uint32_t> reduced_axes(Lowering& l, std::int64_t input_since);

void lower_reduce(Lowering& l, ReduceParams::Kind kind, std::int64_t input_since);
template <ReduceParams::Kind kind, int input_since = 18>
void lower_reduce(Lowering& l) {
  lower_reduce(l, kind, input_since);
}
void lower_arg(Lowering& l, ReduceParams::Kind kind);
template <ReduceParams::Kind kind>
void lower_arg(Lowering& l) {
  lower_arg(l, kind);
}
// Over all spatial axes (2 and up).
void lower_global_pool(Lowering& l, ReduceParams::Kind kind);
template <ReduceParams::Kind kind>
void lower_global_pool(Lowering& l) {
  lower_global_pool(l, kind);
}

}  // namespace aegis
