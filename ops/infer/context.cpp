#include "ops/infer/context.hpp"

#include <onnx/defs/tensor_proto_util.h>
#include <onnx/shape_inference/implementation.h>

#include "ops/infer/proto_type.hpp"

namespace aegis::inference {

NodeContext::NodeContext(const onnx::NodeProto& node, NodeInputs inputs, const AttributeScope* scope, Subgraph subgraph)
    : node_(node), inputs_(std::move(inputs)), scope_(scope), subgraph_(std::move(subgraph)) {
  outputs_.resize(static_cast<size_t>(node.output_size()));
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

// ONNX's functions read what the schema requires without asking whether it is there. Empty: the node has all of it.
std::string missing(const onnx::OpSchema& schema, const onnx::NodeProto& node, const NodeContext& context) {
  const auto short_of = [&](const char* what, int found, int least) {
    return found >= least ? std::string()
                          : std::to_string(found) + " " + what + ", at least " + std::to_string(least) + " expected";
  };
  if (auto text = short_of("inputs", node.input_size(), schema.min_input()); !text.empty()) return text;
  if (auto text = short_of("outputs", node.output_size(), schema.min_output()); !text.empty()) return text;
  for (const auto& [name, attribute] : schema.attributes()) {
    if (!attribute.required) continue;
    const auto* given = context.getAttribute(name);
    if (given == nullptr) return "no attribute " + name + ", which " + node.op_type() + " requires";
    if (given->type() != attribute.type) return "attribute " + name + " is not of the type that the schema gives it";
  }
  if (const auto* scans = context.getAttribute("num_scan_inputs"); scans != nullptr && schema.Name() == "Scan") {
    if (scans->i() < 1 || scans->i() > node.input_size())
      return "num_scan_inputs is " + std::to_string(scans->i()) + " of " + std::to_string(node.input_size()) +
             " inputs";
  }
  return {};
}

// Some of ONNX's functions read the dims at `axis` without asking whether it is there. No operator takes an axis
// further out than one past its first input's rank; normalisations take none outside it.
bool axis_outside(const onnx::NodeProto& node, const NodeContext& context) {
  const auto* axis = context.getAttribute("axis");
  const auto* type = context.getNumInputs() > 0 ? context.getInputType(0) : nullptr;
  if (axis == nullptr || type == nullptr || !type->has_tensor_type() || !type->tensor_type().has_shape()) return false;
  const std::int64_t rank = type->tensor_type().shape().dim_size();
  const std::int64_t past = node.op_type().ends_with("Normalization") ? 0 : 1;
  return axis->i() < -rank - past || axis->i() > rank - 1 + past;
}

}  // namespace

Outcome infer_one(const onnx::NodeProto& node, int opset, NodeContext& context, PropagationContext* propagation) {
  const auto* schema = schema_of(node.op_type(), node.domain(), opset);
  if (schema == nullptr || schema->Deprecated()) return {};
  Outcome outcome{.has_schema = true, .failure = missing(*schema, node, context)};
  if (outcome.failure.empty() && axis_outside(node, context))
    outcome.failure = "the axis lies outside the input's rank";
  if (!outcome.failure.empty()) return outcome;
  try {
    if (schema->has_type_and_shape_inference_function())
      schema->GetTypeAndShapeInferenceFunction()(context);
    else
      infer_by_body(*schema, node, opset, context);
  } catch (const std::exception& e) {
    outcome.failure = first_line(e.what());
  }
  if (!outcome.failure.empty() || propagation == nullptr || !schema->has_data_propagation_function()) return outcome;
  try {
    schema->GetDataPropagationFunction()(*propagation);
  } catch (const std::exception&) {
    propagation->outputs().clear();  // nothing is known of the elements; the types stand
    propagation->outputs().resize(static_cast<size_t>(node.output_size()));
  }
  return outcome;
}

}  // namespace aegis::inference
