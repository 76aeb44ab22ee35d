// What a node has to bring before ONNX's inference function of its operator may look at it: those functions read what
// the schema requires without asking whether it is there. Arity, kinds of attributes and element types are held against
// the schema here; what a function still refuses is a matter of shapes and values.
#include <onnx/defs/data_type_utils.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "ops/infer/context.hpp"

namespace aegis::inference {
namespace {

using onnx::AttributeProto;
using onnx::OpSchema;

using Found = std::optional<Refusal>;

Found refuse(Breach breach, std::string message) { return Refusal{.breach = breach, .message = std::move(message)}; }

std::string counted(int n, const char* what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

// The formal parameter of a slot: the last one stands for all further slots when it is variadic.
const OpSchema::FormalParameter* formal_of(const std::vector<OpSchema::FormalParameter>& formals, size_t slot) {
  if (slot < formals.size()) return &formals[slot];
  const bool variadic = !formals.empty() && formals.back().GetOption() == OpSchema::Variadic;
  return variadic ? &formals.back() : nullptr;
}

Found check_arity(const OpSchema& schema, const onnx::NodeProto& node) {
  const auto outside = [&](const char* what, int found, int least, int most) -> Found {
    if (found < least)
      return refuse(Breach::arity, "has " + counted(found, what) + ", at least " + std::to_string(least) + " expected");
    if (found > most)
      return refuse(Breach::arity, "has " + counted(found, what) + ", at most " + std::to_string(most) + " expected");
    return std::nullopt;
  };
  if (auto found = outside("input", node.input_size(), schema.min_input(), schema.max_input())) return found;
  if (auto found = outside("output", node.output_size(), schema.min_output(), schema.max_output())) return found;
  for (size_t i = 0; i < schema.inputs().size() && i < static_cast<size_t>(node.input_size()); ++i) {
    const auto& formal = schema.inputs()[i];
    if (formal.GetOption() == OpSchema::Single && node.input(static_cast<int>(i)).empty())
      return refuse(Breach::arity, "leaves out input " + formal.GetName() + ", which " + node.op_type() + " requires");
  }
  return std::nullopt;
}

bool holds_other_than(const AttributeProto& a, AttributeProto::AttributeType kind) {
  const std::pair<AttributeProto::AttributeType, bool> fields[] = {
      {AttributeProto::FLOAT, a.has_f()},
      {AttributeProto::INT, a.has_i()},
      {AttributeProto::STRING, a.has_s()},
      {AttributeProto::TENSOR, a.has_t()},
      {AttributeProto::GRAPH, a.has_g()},
      {AttributeProto::SPARSE_TENSOR, a.has_sparse_tensor()},
      {AttributeProto::TYPE_PROTO, a.has_tp()},
      {AttributeProto::FLOATS, a.floats_size() > 0},
      {AttributeProto::INTS, a.ints_size() > 0},
      {AttributeProto::STRINGS, a.strings_size() > 0},
      {AttributeProto::TENSORS, a.tensors_size() > 0},
      {AttributeProto::GRAPHS, a.graphs_size() > 0}};
  bool other = false;
  for (const auto& [field, filled] : fields) {
    if (field == kind && filled) return false;
    other = other || filled;
  }
  return other;
}

std::string kind_name(AttributeProto::AttributeType kind) {
  std::string name = AttributeProto::AttributeType_Name(kind);
  for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return name;
}

// Files of IR 1 have no kinds: what an attribute holds tells.
Found check_attribute(const OpSchema& schema, const onnx::NodeProto& node, const AttributeProto& a) {
  const auto declared = schema.attributes().find(a.name());
  if (declared == schema.attributes().end()) {
    if (a.name().starts_with("__")) return std::nullopt;  // of the program that wrote the file
    return refuse(Breach::attribute, "has an attribute " + a.name() + ", which " + node.op_type() + " does not know");
  }
  const auto kind = declared->second.type;
  if (!a.ref_attr_name().empty()) return std::nullopt;  // the call's attribute is looked at in its place
  const bool object = kind == AttributeProto::TENSOR || kind == AttributeProto::GRAPH;
  const bool empty = (kind == AttributeProto::TENSOR && !a.has_t()) || (kind == AttributeProto::GRAPH && !a.has_g());
  if (a.type() != AttributeProto::UNDEFINED && a.type() != kind)
    return refuse(Breach::attribute, "attribute " + a.name() + " is of kind " + kind_name(a.type()) + ", " +
                                         kind_name(kind) + " expected");
  if ((object && empty) || holds_other_than(a, kind))
    return refuse(Breach::attribute, "attribute " + a.name() + " holds no " + kind_name(kind) + ", which it has to");
  return std::nullopt;
}

Found check_attributes(const OpSchema& schema, const onnx::NodeProto& node, const NodeContext& context) {
  std::set<std::string_view> names;
  for (const AttributeProto& a : node.attribute()) {
    if (!names.insert(a.name()).second) return refuse(Breach::attribute, "has attribute " + a.name() + " twice");
    if (auto found = check_attribute(schema, node, a)) return found;
  }
  for (const auto& [name, attribute] : schema.attributes()) {
    const auto* given = context.getAttribute(name);
    if (given == nullptr && attribute.required)
      return refuse(Breach::attribute, "has no attribute " + name + ", which " + node.op_type() + " requires");
    // Of a reference, the attribute of the call.
    if (given != nullptr && given->type() != AttributeProto::UNDEFINED && given->type() != attribute.type)
      return refuse(Breach::attribute, "attribute " + name + " is of kind " + kind_name(given->type()) + ", " +
                                           kind_name(attribute.type) + " expected");
  }
  return std::nullopt;
}

// Of a tensor, as the schemas write it: their texts are one object each, so that types compare by address.
onnx::DataType tensor_text(int element) {
  static const std::vector<onnx::DataType> texts = [] {
    std::vector<onnx::DataType> made;
    for (int e = 0; onnx::TensorProto::DataType_IsValid(e); ++e) {
      onnx::TypeProto type;
      type.mutable_tensor_type()->set_elem_type(e);
      made.push_back(e == onnx::TensorProto::UNDEFINED ? nullptr : onnx::Utils::DataTypeUtils::ToType(type));
    }
    return made;
  }();
  return element >= 0 && static_cast<std::size_t>(element) < texts.size() ? texts[static_cast<std::size_t>(element)]
                                                                          : nullptr;
}

// The same of any type; null when it is not known in full.
onnx::DataType type_text(const onnx::TypeProto* type) {
  if (type == nullptr || type->value_case() == onnx::TypeProto::VALUE_NOT_SET) return nullptr;
  if (type->has_tensor_type()) return tensor_text(type->tensor_type().elem_type());
  try {
    return onnx::Utils::DataTypeUtils::ToType(*type);
  } catch (const std::exception&) {
    return nullptr;  // a nested type that leaves its element open
  }
}

Found check_types(const OpSchema& schema, const onnx::NodeProto& node, const NodeContext& context) {
  struct Bound {
    const std::string* variable;
    onnx::DataType type;
    size_t input;
  };
  std::vector<Bound> variables;  // what a type variable stands for, by the first input that has it
  const auto name = [&](size_t i) {
    const std::string& formal = formal_of(schema.inputs(), i)->GetName();
    return formal.empty() ? std::to_string(i) : formal;
  };
  for (size_t i = 0; i < context.getNumInputs(); ++i) {
    const auto* formal = formal_of(schema.inputs(), i);
    const onnx::DataType type = context.hasInput(i) ? type_text(context.getInputType(i)) : nullptr;
    if (formal == nullptr || type == nullptr) continue;
    if (!formal->GetTypes().contains(type))
      return refuse(Breach::type, "input " + name(i) + " is " + *type + ", which " + node.op_type() + " does not take");
    if (!formal->GetIsHomogeneous()) continue;
    const std::string& variable = formal->GetTypeStr();
    const auto first = std::ranges::find_if(variables, [&](const Bound& b) { return *b.variable == variable; });
    if (first == variables.end())
      variables.push_back({&variable, type, i});
    else if (first->type != type)
      return refuse(Breach::type, "input " + name(i) + " is " + *type + " and input " + name(first->input) + " is " +
                                      *first->type + ", they have to be equal");
  }
  return std::nullopt;
}

// What single functions read unasked.
Found check_special(const OpSchema& schema, const onnx::NodeProto& node, const NodeContext& context) {
  if (const auto* scans = context.getAttribute("num_scan_inputs"); scans != nullptr && schema.Name() == "Scan") {
    if (scans->i() < 1 || scans->i() > node.input_size())
      return refuse(Breach::attribute,
                    "num_scan_inputs is " + std::to_string(scans->i()) + " of " + counted(node.input_size(), "input"));
  }
  // No operator takes an axis further out than one past its first input's rank; normalisations take none outside it.
  const auto* axis = context.getAttribute("axis");
  const auto* type = context.getNumInputs() > 0 ? context.getInputType(0) : nullptr;
  if (axis == nullptr || type == nullptr || !type->has_tensor_type() || !type->tensor_type().has_shape())
    return std::nullopt;
  const std::int64_t rank = type->tensor_type().shape().dim_size();
  const std::int64_t past = node.op_type().ends_with("Normalization") ? 0 : 1;
  if (axis->i() >= -rank - past && axis->i() <= rank - 1 + past) return std::nullopt;
  return refuse(Breach::attribute,
                "axis " + std::to_string(axis->i()) + " lies outside the input's rank " + std::to_string(rank));
}

}  // namespace

std::optional<Refusal> check_node(const OpSchema& schema, const onnx::NodeProto& node, const NodeContext& context) {
  if (auto found = check_arity(schema, node)) return found;
  for (const auto check : {check_attributes, check_types, check_special}) {
    if (auto found = check(schema, node, context)) return found;
  }
  return std::nullopt;
}

}  // namespace aegis::inference
