// A recast that ONNX has checked: what recast_float hands out, and what raise_opset tries before it raises anything.
#pragma once

#include "rewriter/recast/materialise.hpp"

namespace aegis::recast {

// Errors: ONNX refuses the result.
Result<Materialised> propose(const Model& model, const TypeTable& types, const Choice& choice, DType to);

}  // namespace aegis::recast
