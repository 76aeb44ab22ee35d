// How deep functions of a model call one another. Everything that follows calls on the stack relies on a bound.
#pragma once

#include "model/limits.hpp"
#include "model/model.hpp"

namespace aegis {

// IO904 when a chain of calls is longer than the limit, or closed to a circle.
Result<void> check_call_depth(const Model::State& state, const Limits& limits);

}  // namespace aegis
