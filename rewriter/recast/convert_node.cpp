// ONNX's version converter is given a model of this one node: inputs by the value table, small constants by value. What
// comes back is named by position (inputs, outputs), by fresh names inside, and the node that carries on the operator
// keeps the identity of the old one.
#include "rewriter/recast/convert_node.hpp"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>
#include <onnx/version_converter/convert.h>

#include <algorithm>
#include <map>

#include "model/attribute.hpp"
#include "model/load.hpp"
#include "model/tensor_pb.hpp"

namespace aegis::recast {
namespace {

Error refused(const Model& model, const Node& node, std::int64_t opset, std::string_view why) {
  return Error{.message = fmt::format("{} cannot be written for opset {}: {}", node.op, opset, why),
               .where = label(model, node.id)};
}

void set_type(const ValueType& type, onnx::TypeProto& out) {
  auto& tensor = *out.mutable_tensor_type();
  tensor.set_elem_type(static_cast<int>(type.dtype));
  if (!type.ranked()) return;
  tensor.mutable_shape();
  for (const Dim& dim : *type.dims) {
    auto* made = tensor.mutable_shape()->add_dim();
    if (dim.known()) made->set_dim_value(dim.extent);
  }
}

Result<void> one_node_model(const Model& model, const TypeTable& types, const Node& node, onnx::ModelProto& out) {
  out.set_ir_version(8);
  auto* opset = out.add_opset_import();
  opset->set_domain("");
  opset->set_version(model.opset());
  auto& graph = *out.mutable_graph();
  graph.set_name("node");
  *graph.add_node() = *node.proto;
  std::vector<ValueId> seen;
  for (const ValueId id : node.inputs) {
    if (id == ValueId::none || std::ranges::find(seen, id) != seen.end()) continue;
    seen.push_back(id);
    const std::string name(model.value(id).name);
    const TensorSource* constant = model.constant(id);
    if (constant != nullptr && constant->raw_size() <= inline_payload_bytes) {
      AEGIS_TRY(const Tensor tensor, constant->read());
      graph.add_initializer()->ParseFromString(tensor_to_pb(tensor, name));
      continue;
    }
    if (!types.of(id).tensor()) return refused(model, node, model.opset(), "an input of unknown type");
    auto* input = graph.add_input();
    input->set_name(name);
    set_type(types.of(id), *input->mutable_type());
  }
  for (const ValueId id : node.outputs) {
    if (id == ValueId::none) continue;
    auto* output = graph.add_output();
    output->set_name(std::string(model.value(id).name));
    if (types.of(id).tensor()) set_type(types.of(id), *output->mutable_type());
  }
  return {};
}

bool same_node(const onnx::NodeProto& before, const onnx::NodeProto& after) {
  const auto plain = [](const onnx::NodeProto& node) {
    std::map<std::string, std::string> attributes;
    for (const auto& a : node.attribute()) {
      onnx::AttributeProto copy = a;
      copy.clear_doc_string();
      attributes[a.name()] = copy.SerializeAsString();
    }
    return attributes;
  };
  auto inputs = [](const onnx::NodeProto& node) {
    std::vector<std::string> names(node.input().begin(), node.input().end());
    while (!names.empty() && names.back().empty()) names.pop_back();
    return names;
  };
  return before.op_type() == after.op_type() && inputs(before) == inputs(after) && plain(before) == plain(after);
}

Result<AttributeValue> attribute_value(const onnx::AttributeProto& a) {
  AttributeValue out{.name = a.name(), .value = std::int64_t{0}};
  switch (a.type()) {
    case onnx::AttributeProto::INT: out.value = static_cast<std::int64_t>(a.i()); break;
    case onnx::AttributeProto::FLOAT: out.value = a.f(); break;
    case onnx::AttributeProto::STRING: out.value = a.s(); break;
    case onnx::AttributeProto::INTS: out.value = std::vector<std::int64_t>(a.ints().begin(), a.ints().end()); break;
    case onnx::AttributeProto::FLOATS: out.value = std::vector<float>(a.floats().begin(), a.floats().end()); break;
    case onnx::AttributeProto::TENSOR: {
      AEGIS_TRY(NamedTensor made, tensor_from_pb(a.t().SerializeAsString()));
      out.value = std::move(made.tensor);
      break;
    }
    default:
      return Error{.message = fmt::format("the converter made an attribute '{}' of an unexpected kind", a.name())};
  }
  return out;
}

// Puts the converter's nodes in place of the old one.
Result<void> splice(const Model& model, const Node& node, const onnx::GraphProto& before, const onnx::GraphProto& after,
                    FreshNames& names, std::vector<Edit>& edits) {
  std::map<std::string, std::string> renamed;  // names of the converted graph to names of the model
  for (const auto& tensor : before.initializer()) renamed[tensor.name()] = tensor.name();
  for (int i = 0; i < after.input_size() && i < before.input_size(); ++i) {
    renamed[after.input(i).name()] = before.input(i).name();
  }
  for (int i = 0; i < after.output_size() && i < before.output_size(); ++i) {
    renamed[after.output(i).name()] = before.output(i).name();
  }
  const std::string base = node.name.empty() ? std::string(node.op) : std::string(node.name);
  const auto rename = [&](const std::string& name) {
    if (name.empty()) return name;
    auto& known = renamed[name];
    if (known.empty()) known = names.make(base + "/raised");
    return known;
  };
  for (const auto& tensor : after.initializer()) {
    const bool ours =
        std::ranges::any_of(before.initializer(), [&](const auto& t) { return t.name() == tensor.name(); });
    if (ours) continue;
    AEGIS_TRY(const NamedTensor made, tensor_from_pb(tensor.SerializeAsString()));
    edits.emplace_back(edit::AddTensor{node.scope, rename(tensor.name()), TensorSource::owned(made.tensor)});
  }
  // The heir: the same operator, else what replaced it (Resize for Upsample), else the last node.
  int heir = after.node_size() - 1;
  for (int i = 0; i < after.node_size(); ++i) {
    if (after.node(i).op_type() == before.node(0).op_type()) heir = i;
  }
  const std::vector<NodeId>& order = model.scope(node.scope).nodes;
  const auto at = std::ranges::find(order, node.id);
  const NodeId next = at == order.end() || at + 1 == order.end() ? NodeId::none : *(at + 1);
  for (int i = 0; i < after.node_size(); ++i) {
    const onnx::NodeProto& made = after.node(i);
    if (i == heir) {
      onnx::NodeProto proto = *node.proto;
      proto.set_op_type(made.op_type());
      *proto.mutable_attribute() = made.attribute();
      proto.clear_input();
      proto.clear_output();
      for (const auto& name : made.input()) proto.add_input(rename(name));
      for (const auto& name : made.output()) proto.add_output(rename(name));
      edits.emplace_back(edit::ReplaceNode{node.id, proto.SerializeAsString()});
      continue;
    }
    edit::InsertNode insert{.scope = node.scope, .before = i < heir ? node.id : next, .op = made.op_type()};
    insert.domain = made.domain();
    insert.name = names.make(fmt::format("{}/{}", base, made.op_type()));
    for (const auto& name : made.input()) insert.inputs.push_back(rename(name));
    for (const auto& name : made.output()) insert.outputs.push_back(rename(name));
    for (const auto& a : made.attribute()) {
      AEGIS_TRY(AttributeValue value, attribute_value(a));
      insert.attributes.push_back(std::move(value));
    }
    edits.emplace_back(std::move(insert));
  }
  return {};
}

// Version 18 has one scale and one bias per group, version 21 one per channel. The library's converter leaves them as
// they are, and every check passes.
Result<void> widen_group_parameters(const Model& model, const TypeTable& types, const Node& node, std::int64_t opset,
                                    FreshNames& names, std::vector<Edit>& edits) {
  const auto groups = attribute(node, "num_groups", std::int64_t{0});
  const ValueType& data = types.of(node.inputs[0]);
  const auto channels = data.rank() > 1 ? (*data.dims)[1].value() : std::nullopt;
  if (!channels || groups <= 0 || *channels % groups != 0) {
    return refused(model, node, opset, "its number of channels is not known");
  }
  for (std::uint32_t slot = 1; slot <= 2; ++slot) {
    const TensorSource* source = model.constant(node.inputs[slot]);
    if (source == nullptr) return refused(model, node, opset, "its scale or bias per group is not a constant");
    AEGIS_TRY(const Tensor tensor, source->read());
    AEGIS_TRY(const std::vector<double> per_group, to_doubles(tensor));
    std::vector<double> per_channel;
    for (const double value : per_group) {
      per_channel.insert(per_channel.end(), static_cast<std::size_t>(*channels / groups), value);
    }
    const std::vector<std::int64_t> dims{*channels};
    const std::string name = names.make(fmt::format("{}/channels", model.value(node.inputs[slot]).name));
    edits.emplace_back(
        edit::AddTensor{node.scope, name, TensorSource::owned(from_doubles(source->type, dims, per_channel))});
    edits.emplace_back(edit::SetInput{node.id, slot, name});
  }
  return {};
}

}  // namespace

struct NodeConverter::Library {
  onnx::version_conversion::DefaultVersionConverter converter;
};

NodeConverter::NodeConverter(const Model& model, const TypeTable& types, std::int64_t opset)
    : model_(model), types_(types), opset_(opset) {}
NodeConverter::~NodeConverter() = default;

Result<void> NodeConverter::convert(const Node& node, FreshNames& names, std::vector<Edit>& edits) {
  if (node.op == "GroupNormalization") return widen_group_parameters(model_, types_, node, opset_, names, edits);
  onnx::ModelProto before, after;
  AEGIS_CHECK(one_node_model(model_, types_, node, before));
  try {
    if (!library_) library_ = std::make_unique<Library>();
    after = library_->converter.convert_version(before, onnx::OpSetID(model_.opset()), onnx::OpSetID(opset_));
  } catch (const std::exception& failure) {
    return refused(model_, node, opset_, failure.what());
  }
  if (after.graph().node_size() == 1 && same_node(before.graph().node(0), after.graph().node(0))) return {};
  return splice(model_, node, before.graph(), after.graph(), names, edits);
}

}  // namespace aegis::recast
