// Operators that ONNX defines by other operators: the body of one node as a model of its own. The engine runs what has
// a body and no lowering through it.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "model/model.hpp"
#include "model/result.hpp"
#include "ops/type.hpp"

namespace aegis {

// The node's schema at this opset has a function body. Whether the body can be built may still depend on the types.
bool has_body(const Node& node, std::int64_t opset);

// Inputs and outputs of the graph are the node's in their order, without the absent ones; attributes of the node, or
// the schema's defaults, stand where the body refers to them. `inputs` runs over the node's slots.
// Errors: the schema has no body for these types.
Result<Model> body_of(const Model& model, const Node& node, std::span<const ValueType> inputs);

}  // namespace aegis
