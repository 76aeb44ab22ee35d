// The last check before a recast is handed out, by ONNX itself: the full checker and strict type inference over all
// scopes. The plain checker accepts mixed float types, so it alone is never enough.
#pragma once

#include "model/model.hpp"
#include "model/result.hpp"

namespace aegis::recast {

Result<void> verify(const Model& model);

}  // namespace aegis::recast
