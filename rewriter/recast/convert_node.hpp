// One node as another opset writes it.
#pragma once

#include <vector>

#include "model/patch.hpp"
#include "ops/infer.hpp"

namespace aegis::recast {

// Appends the edits that make `node` mean at `opset` what it means now; none when nothing changes in how it is written.
// Errors: ONNX's converter refuses it, or it needs something that is not known here.
Result<void> convert_node(const Model& model, const TypeTable& types, const Node& node, std::int64_t opset,
                          FreshNames& names, std::vector<Edit>& edits);

}  // namespace aegis::recast
