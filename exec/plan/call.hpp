// Nodes of a model-local function as one call of it sees them: attributes that refer to the function's attributes take
// the call's values, or the function's defaults.
#pragma once

#include <memory>

#include "model/model.hpp"

namespace aegis {

bool refers_to_call(const Node& node);  // an attribute of the node itself, not of its bodies

// A node with its own proto.
class CallNode {
 public:
  // `call` is the node that calls `function`, itself already without references.
  CallNode(const Node& node, const Node& call, const Scope& function);
  ~CallNode();
  CallNode(const CallNode&) = delete;
  CallNode& operator=(const CallNode&) = delete;
  const Node& node() const { return node_; }

 private:
  Node node_;
  std::unique_ptr<onnx::NodeProto> proto_;
};

}  // namespace aegis
