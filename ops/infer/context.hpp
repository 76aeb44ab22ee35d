// What ONNX's schema functions see of one node: types and known data of its inputs, places for its outputs. Internal to
// inference: includes ONNX's headers.
#pragma once

#include <google/protobuf/arena.h>
#include <onnx/defs/schema.h>
#include <onnx/defs/shape_inference.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ops/infer/refusals.hpp"

namespace aegis::inference {

// Attributes of the call that a function body refers to; null outside of functions.
using AttributeScope = std::map<std::string, const onnx::AttributeProto*>;

struct NodeInputs {
  std::vector<const onnx::TypeProto*> types;         // null: unknown
  std::vector<const onnx::TensorProto*> data;        // null: not known
  std::vector<const onnx::TensorShapeProto*> shape;  // elements found by propagation; null: not known
};

class NodeContext final : public onnx::InferenceContext {
 public:
  // Makes the inferencer of a subgraph attribute; null when subgraphs are not walked.
  using Subgraph = std::function<std::unique_ptr<onnx::GraphInferencer>(const std::string&)>;

  // The types of the outputs are made in `arena`.
  NodeContext(const onnx::NodeProto& node, NodeInputs inputs, const AttributeScope* scope, Subgraph subgraph,
              google::protobuf::Arena& arena);

  const onnx::AttributeProto* getAttribute(const std::string& name) const override;
  size_t getNumInputs() const override { return inputs_.types.size(); }
  // An input whose type is unknown has an empty one: many of ONNX's functions read it without asking for null.
  const onnx::TypeProto* getInputType(size_t i) const override {
    const auto* type = at(inputs_.types, i);
    return type != nullptr || !hasInput(i) ? type : &onnx::TypeProto::default_instance();
  }
  bool hasInput(size_t i) const override;
  const onnx::TensorProto* getInputData(size_t i) const override { return at(inputs_.data, i); }
  const onnx::SparseTensorProto* getInputSparseData(size_t) const override { return nullptr; }
  const onnx::TensorShapeProto* getSymbolicInput(size_t i) const override { return at(inputs_.shape, i); }
  size_t getNumOutputs() const override { return outputs_.size(); }
  onnx::TypeProto* getOutputType(size_t i) override { return at(outputs_, i); }
  bool hasOutput(size_t i) override;
  onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override;
  std::string getDisplayName() const override { return {}; }

  const std::vector<onnx::TypeProto*>& outputs() const { return outputs_; }

 private:
  template <class T>
  static T at(const std::vector<T>& list, size_t i) {
    return i < list.size() ? list[i] : nullptr;
  }
  const onnx::NodeProto& node_;
  NodeInputs inputs_;
  const AttributeScope* scope_;
  Subgraph subgraph_;
  std::vector<onnx::TypeProto*> outputs_;
  std::map<std::string, std::unique_ptr<onnx::GraphInferencer>> inferencers_;
};

// The same node for ONNX's data propagators, which carry the elements of small integer tensors.
class PropagationContext final : public onnx::DataPropagationContext {
 public:
  PropagationContext(NodeContext& node, const onnx::NodeProto& proto)
      : node_(node), data_(static_cast<size_t>(proto.output_size())) {}

  const onnx::AttributeProto* getAttribute(const std::string& name) const override { return node_.getAttribute(name); }
  size_t getNumInputs() const override { return node_.getNumInputs(); }
  const onnx::TypeProto* getInputType(size_t i) const override { return node_.getInputType(i); }
  size_t getNumOutputs() const override { return data_.size(); }
  const onnx::TypeProto* getOutputType(size_t i) const override { return node_.getOutputType(i); }
  const onnx::TensorShapeProto* getInputData(size_t i) override;
  void addOutputData(size_t i, onnx::TensorShapeProto&& data) override;

  std::vector<std::unique_ptr<onnx::TensorShapeProto>>& outputs() { return data_; }

 private:
  NodeContext& node_;
  std::vector<std::unique_ptr<onnx::TensorShapeProto>> data_;
  std::map<size_t, onnx::TensorShapeProto> made_;
};

using Breach = RefusedNode::Breach;

struct Refusal {
  Breach breach = Breach::shape;
  std::string message;  // continues "the node ..."
};
// What of its schema a node breaks before any inference; nothing when its inference function may run.
std::optional<Refusal> check_node(const onnx::OpSchema& schema, const onnx::NodeProto& node,
                                  const NodeContext& context);

struct Outcome {
  bool has_schema = false;
  std::optional<Refusal> failure;  // nothing: inferred
};
// Runs the schema's inference function (or infers through the function body when it has none), then its propagator.
// `schema` may be null.
Outcome infer_one(const onnx::OpSchema* schema, const onnx::NodeProto& node, int opset, NodeContext& context,
                  PropagationContext* propagation);
const onnx::OpSchema* schema_of(const std::string& op, const std::string& domain, int opset);

}  // namespace aegis::inference
