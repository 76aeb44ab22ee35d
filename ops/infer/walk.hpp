// The walk over a model: scope by scope, node by node in dependency order, types kept by ValueId. Internal to
// inference: includes ONNX's headers.
//
// Subgraphs are walked when their owner's schema function asks for them, with the types that it hands in; model-local
// functions are walked at each call with the types of that call. When two calls give a body different types, the
// types of its inner values are unknown.
#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "ops/infer.hpp"
#include "ops/infer/context.hpp"

namespace aegis::inference {

using Numbers = std::map<std::string, std::int64_t>;  // extents that symbols are given

// An extent of a graph input without a number, and the symbol that stands for it.
bool open_extent(const onnx::TensorShapeProto::Dimension& dim);
std::string symbol_name(const Value& input, int axis, const onnx::TensorShapeProto::Dimension& dim);

class Walk {
 public:
  Walk(const Model& model, const Binding& binding, const Numbers& numbers);
  void run();

  std::vector<const onnx::TypeProto*> types;                      // by ValueId; null: unknown
  std::vector<std::unique_ptr<onnx::TensorShapeProto>> elements;  // by ValueId: of small integer tensors; null: unknown
  std::vector<InferenceFailure> failures;                         // each node once
  std::map<NodeId, Refusal> refusals;                             // the same, with what was broken
  std::vector<NodeId> without_schema;
  std::uint64_t inferred = 0;

 private:
  using Opsets = std::map<std::string, int>;
  class Body;

  void constants(const Scope& scope);
  void bind_input(const Value& input);
  void walk(const Scope& scope, const AttributeScope* attributes, const Opsets& opsets);
  const std::vector<NodeId>& order(const Scope& scope);
  const onnx::OpSchema* schema(const Node& node, int opset);
  onnx::TypeProto* copy_type(const onnx::TypeProto* type);
  bool inputs_typed(const Node& node) const;
  NodeInputs inputs(const Node& node) const;
  void infer(const Node& node, const AttributeScope* attributes, const Opsets& opsets);
  void refuse(NodeId node, Refusal why);
  void keep_constant(ValueId id);
  void keep_elements(ValueId id, std::unique_ptr<onnx::TensorShapeProto> found);
  std::unique_ptr<onnx::GraphInferencer> body(const Node& owner, const std::string& attribute,
                                              const AttributeScope* attributes, const Opsets& opsets);
  // What a call of a function gave: a second call with the same arguments is not walked again.
  struct Returned {
    std::vector<const onnx::TypeProto*> types;
    std::vector<std::unique_ptr<onnx::TensorShapeProto>> elements;
  };
  void call(const Node& node, const AttributeScope* outer);
  std::string pass_arguments(const Node& node, const Scope& function);
  Returned run_body(const Scope& function, const AttributeScope& attributes);
  void forget_ambiguous();

  google::protobuf::Arena arena_;  // of the types
  const Model& model_;
  const Binding& binding_;
  const Numbers& numbers_;
  std::vector<const onnx::TensorProto*> data_;  // by ValueId: payloads that are known
  std::vector<std::unique_ptr<onnx::TensorProto>> made_;
  Opsets opsets_;
  std::map<std::tuple<std::string_view, std::string_view, int>, const onnx::OpSchema*> schemas_;  // asked for before
  std::map<ScopeId, std::vector<NodeId>> sorted_;
  std::map<ScopeId, std::string> signatures_;  // types of the first call of a function
  std::map<std::pair<ScopeId, std::string>, Returned> returned_;
  std::set<ScopeId> several_types_;
  std::set<NodeId> unknown_;  // told already: a body may be walked several times
  int calls_ = 0;
};

}  // namespace aegis::inference
