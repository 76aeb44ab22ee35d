#include "exec/plan/call.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>

namespace aegis {
namespace {

const onnx::AttributeProto* find(const google::protobuf::RepeatedPtrField<onnx::AttributeProto>& attributes,
                                 const std::string& name) {
  const auto found = std::ranges::find(attributes, name, [](const auto& a) -> const std::string& { return a.name(); });
  return found == attributes.end() ? nullptr : &*found;
}

}  // namespace

bool refers_to_call(const Node& node) {
  return std::ranges::any_of(node.proto->attribute(), [](const auto& a) { return !a.ref_attr_name().empty(); });
}

CallNode::CallNode(const Node& node, const Node& call, const Scope& function)
    : node_(node), proto_(std::make_unique<onnx::NodeProto>(*node.proto)) {
  proto_->clear_attribute();
  for (const onnx::AttributeProto& own : node.proto->attribute()) {
    if (own.ref_attr_name().empty()) {
      *proto_->add_attribute() = own;
      continue;
    }
    const onnx::AttributeProto* given = find(call.proto->attribute(), own.ref_attr_name());
    if (!given) given = find(function.function->attribute_proto(), own.ref_attr_name());
    if (!given) continue;  // not given: the node's own default holds
    onnx::AttributeProto* attribute = proto_->add_attribute();
    *attribute = *given;
    attribute->set_name(own.name());
  }
  node_.proto = proto_.get();
}

CallNode::~CallNode() = default;

}  // namespace aegis
