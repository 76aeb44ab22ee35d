#include "ops/body.hpp"

#include <fmt/format.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "model/load.hpp"
#include "ops/infer/context.hpp"
#include "ops/infer/proto_type.hpp"

namespace aegis {
namespace {

constexpr int body_ir_version = 10;

const onnx::OpSchema* schema(const Node& node, std::int64_t opset) {
  return inference::schema_of(std::string(node.op), std::string(node.domain), static_cast<int>(opset));
}

Error problem(const Model& model, const Node& node, std::string message) {
  return {.fault = Fault::validation, .message = std::move(message), .where = label(model, node.id)};
}

// Makes a body a graph: what refers to the call's attributes takes their values, formal inputs that the call leaves out
// are absent wherever they are read.
class Inliner {
 public:
  Inliner(const onnx::NodeProto& call, const onnx::OpSchema& schema) {
    for (const auto& [name, attribute] : schema.attributes())
      if (attribute.default_value.type() != onnx::AttributeProto::UNDEFINED)
        attributes_[name] = &attribute.default_value;
    for (const auto& attribute : call.attribute()) attributes_[attribute.name()] = &attribute;
  }

  void leave_out(const std::string& input) { absent_.insert(input); }

  void node(onnx::NodeProto& node) const {
    for (auto& input : *node.mutable_input())
      if (absent_.contains(input)) input.clear();
    google::protobuf::RepeatedPtrField<onnx::AttributeProto> own;
    own.Swap(node.mutable_attribute());
    for (onnx::AttributeProto& attribute : own) {
      if (attribute.ref_attr_name().empty()) {
        if (attribute.has_g()) graph(*attribute.mutable_g());
        node.add_attribute()->Swap(&attribute);
        continue;
      }
      const auto given = attributes_.find(attribute.ref_attr_name());
      if (given == attributes_.end()) continue;  // the node's own default holds
      onnx::AttributeProto* value = node.add_attribute();
      *value = *given->second;
      value->set_name(attribute.name());
    }
  }

 private:
  void graph(onnx::GraphProto& graph) const {
    for (onnx::NodeProto& inner : *graph.mutable_node()) node(inner);
  }

  std::map<std::string, const onnx::AttributeProto*> attributes_;
  std::set<std::string> absent_;
};

}  // namespace

bool has_body(const Node& node, std::int64_t opset) {
  const auto* s = schema(node, opset);
  return s != nullptr && (s->HasFunction() || s->HasContextDependentFunction());
}

Result<Model> body_of(const Model& model, const Node& node, std::span<const ValueType> inputs) {
  const auto opset = static_cast<int>(model.opset(node.domain));
  const auto* s = schema(node, opset);
  if (s == nullptr) return problem(model, node, "the operator has no schema at this opset");
  onnx::FunctionProto function;
  if (s->HasContextDependentFunction()) {
    std::vector<onnx::TypeProto> types;
    for (const ValueType& type : inputs) types.push_back(inference::to_proto(type));
    const onnx::FunctionBodyBuildContextImpl context(*node.proto, types);
    if (!s->BuildContextDependentFunction(context, function, opset))
      return problem(model, node, "the operator has no body for these types");
  } else if (const auto* body = s->GetFunction(opset)) {
    function = *body;
  } else {
    return problem(model, node, fmt::format("the operator has no body at opset {}", opset));
  }
  if (node.inputs.size() > static_cast<std::size_t>(function.input_size()))
    return problem(model, node, "the body of a variadic operator is not expanded");
  onnx::ModelProto proto;
  proto.set_ir_version(body_ir_version);
  *proto.mutable_opset_import() = function.opset_import();
  for (const Opset& outer : model.opsets()) {  // what the body does not import itself means what it means outside
    const auto same = [&](const auto& own) { return own.domain() == outer.domain; };
    if (std::ranges::any_of(function.opset_import(), same)) continue;
    onnx::OperatorSetIdProto& import = *proto.add_opset_import();
    import.set_domain(outer.domain);
    import.set_version(outer.version);
  }
  onnx::GraphProto& graph = *proto.mutable_graph();
  graph.set_name(std::string(node.op));
  Inliner inliner(*node.proto, *s);
  for (int i = 0; i < function.input_size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (at >= node.inputs.size() || node.inputs[at] == ValueId::none) {
      inliner.leave_out(function.input(i));
      continue;
    }
    onnx::ValueInfoProto& input = *graph.add_input();
    input.set_name(function.input(i));
    *input.mutable_type() = inference::to_proto(inputs[at]);
  }
  for (int i = 0; i < function.output_size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (at < node.outputs.size() && node.outputs[at] != ValueId::none) graph.add_output()->set_name(function.output(i));
  }
  graph.mutable_node()->Swap(function.mutable_node());
  for (onnx::NodeProto& inner : *graph.mutable_node()) inliner.node(inner);
  return load_bytes(proto.SerializeAsString(), std::string(node.op));
}

}  // namespace aegis
