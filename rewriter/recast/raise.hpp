// Raising the opset of a model, node by node.
//
// A whole-model conversion by ONNX's converter loses functions and metadata, so each node whose meaning changes is
// converted alone, in a model of one node with the types of the value table, and the result is spliced in. The others
// are re-tagged: the steps that change how a node is written are few and known.
#pragma once

#include "model/patch.hpp"
#include "ops/infer.hpp"

namespace aegis::recast {

// The patch that brings the model to `opset`. Errors: a node that cannot be converted; `where` names it.
Result<Patch> raise(const Model& model, const TypeTable& types, std::int64_t opset);

// Does the step change how this node is written?
bool changes(const Node& node, std::int64_t from, std::int64_t to);

// The IR version that goes with an opset.
std::int64_t ir_version_for(std::int64_t opset);

}  // namespace aegis::recast
