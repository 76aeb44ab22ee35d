// Edits on bare protos that apply() is made of. For model/ alone: includes ONNX's headers.
#pragma once

#include <onnx/onnx_pb.h>

#include <vector>

#include "model/patch.hpp"

namespace aegis {

// Replaces or adds the attribute.
void set_attribute(onnx::NodeProto& node, const AttributeValue& value);

// Stable topological sort: among the nodes that may come next, the one that stood first. A sorted list is left alone.
// False: the nodes form a cycle; the list is unchanged.
bool sort_nodes(std::vector<onnx::NodeProto*>& nodes);

}  // namespace aegis
