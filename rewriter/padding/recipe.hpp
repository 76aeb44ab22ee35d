// The padded form of a stored tensor as a recipe: the source's lanes in their places, one fill value in all others.
#pragma once

#include <map>

#include "model/tensor.hpp"
#include "rewriter/padding/lane_map.hpp"

namespace aegis::padding {

// `maps`: per axis of the source; axes without an entry keep their extent. `fill` is rounded to the source's type.
// The type must have whole bytes. The bytes are made in one pass over the source with a buffer of 64 KiB.
TensorSource padded(const TensorSource& source, const std::map<int, LaneMap>& maps, double fill);

}  // namespace aegis::padding
