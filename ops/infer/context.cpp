#include "ops/infer/context.hpp"

#include <onnx/defs/tensor_proto_util.h>
#include <onnx/shape_inference/implementation.h>

#include "ops/infer/proto_type.hpp"

namespace aegis::inference {

NodeContext::NodeContext(const onnx::NodeProto& node, NodeInputs inputs, const AttributeScope* scope, Subgraph subgraph,
                         google::protobuf::Arena& arena)
    : node_(node), inputs_(std::move(inputs)), scope_(scope), subgraph_(std::move(subgraph)) {
  for (int i = 0; i < node.output_size(); ++i)
    outputs_.push_back(google::protobuf::Arena::CreateMessage<onnx::TypeProto>(&arena));
}

const onnx::AttributeProto* NodeContext::getAttribute(const std::string& name) const {
  for (const auto& a : node_.attribute()) {
    if (a.name() != name) continue;
    if (a.ref_attr_name().empty()) return &a;
    if (scope_ == nullptr) return nullptr;
    const auto it = scope_->find(a.ref_attr_name());
    return it == scope_->end() ? nullptr : it->second;
  }
  return nullptr;
}

bool NodeContext::hasInput(size_t i) const {
  return i < static_cast<size_t>(node_.input_size()) && !node_.input(static_cast<int>(i)).empty();
}

bool NodeContext::hasOutput(size_t i) { return i < outputs_.size() && !node_.output(static_cast<int>(i)).empty(); }

onnx::GraphInferencer* NodeContext::getGraphAttributeInferencer(const std::string& name) {
  auto& inferencer = inferencers_[name];
  if (!inferencer && subgraph_) inferencer = subgraph_(name);
  return inferencer.get();
}

const onnx::TensorShapeProto* PropagationContext::getInputData(size_t i) {
  if (const auto* known = node_.getSymbolicInput(i)) return known;
  if (const auto it = made_.find(i); it != made_.end()) return &it->second;
  onnx::TensorShapeProto elements;
  if (const auto* tensor = node_.getInputData(i); tensor != nullptr && tensor->dims_size() <= 1) {
    if (tensor->data_type() == onnx::TensorProto::INT64)
      for (const std::int64_t v : onnx::ParseData<std::int64_t>(tensor)) elements.add_dim()->set_dim_value(v);
    else if (tensor->data_type() == onnx::TensorProto::INT32)
      for (const std::int32_t v : onnx::ParseData<std::int32_t>(tensor)) elements.add_dim()->set_dim_value(v);
    else
      return nullptr;
  } else if (const auto* type = node_.getInputType(i);
             type != nullptr && type->has_tensor_type() && type->tensor_type().has_shape() &&
             type->tensor_type().shape().dim_size() == 1 && type->tensor_type().shape().dim(0).has_dim_value() &&
             type->tensor_type().shape().dim(0).dim_value() <= 64) {
    for (std::int64_t n = type->tensor_type().shape().dim(0).dim_value(); n > 0; --n) elements.add_dim();
  } else {
    return nullptr;
  }
  return &made_.emplace(i, std::move(elements)).first->second;
}

void PropagationContext::addOutputData(size_t i, onnx::TensorShapeProto&& data) {
  if (i < data_.size()) data_[i] = std::make_unique<onnx::TensorShapeProto>(std::move(data));
}

const onnx::OpSchema* schema_of(const std::string& op, const std::string& domain, int opset) {
  return onnx::OpSchemaRegistry::Schema(op, opset, domain == "ai.onnx" ? std::string() : domain);
}

namespace {

// ONNX's messages begin with a tag and may end in a context of several lines.
std::string first_line(const char* what) {
  std::string text(what);
  if (const auto end = text.find('\n'); end != std::string::npos) text.resize(end);
  if (const auto tag = text.find("] "); tag != std::string::npos && text.starts_with("[")) text.erase(0, tag + 2);
  return text;
}

void infer_by_body(const onnx::OpSchema& schema, const onnx::NodeProto& node, int opset, NodeContext& context) {
  const onnx::ShapeInferenceOptions options(false, 1, false);
  if (schema.HasContextDependentFunctionWithOpsetVersion(opset) || schema.HasContextDependentFunction()) {
    std::vector<onnx::TypeProto> types;
    for (size_t i = 0; i < context.getNumInputs(); ++i)
      types.push_back(context.getInputType(i) != nullptr ? *context.getInputType(i) : onnx::TypeProto());
    onnx::FunctionBodyBuildContextImpl build(node, types);
    onnx::FunctionProto function;
    if (schema.BuildContextDependentFunction(build, function, opset))
      onnx::shape_inference::InferShapeForFunctionNode(function, onnx::OpSchemaRegistry::Instance(), context, options);
    return;
  }
  if (const auto* function = schema.GetFunction(opset))
    onnx::shape_inference::InferShapeForFunctionNode(*function, onnx::OpSchemaRegistry::Instance(), context, options);
}

}  // namespace

Outcome infer_one(const onnx::OpSchema* schema, const onnx::NodeProto& node, int opset, NodeContext& context,
                  PropagationContext* propagation) {
  if (schema == nullptr || schema->Deprecated()) return {};
  Outcome outcome{.has_schema = true, .failure = check_node(*schema, node, context)};
  if (outcome.failure) return outcome;
  try {
    if (schema->has_type_and_shape_inference_function())
      schema->GetTypeAndShapeInferenceFunction()(context);
    else
      infer_by_body(*schema, node, opset, context);
  } catch (const std::exception& e) {
    outcome.failure = Refusal{.breach = Breach::shape, .message = first_line(e.what())};
  }
  if (outcome.failure || propagation == nullptr || !schema->has_data_propagation_function()) return outcome;
  try {
    schema->GetDataPropagationFunction()(*propagation);
  } catch (const std::exception&) {
    propagation->outputs().clear();  // nothing is known of the elements; the types stand
    propagation->outputs().resize(static_cast<size_t>(node.output_size()));
  }
  return outcome;
}

}  // namespace aegis::inference
