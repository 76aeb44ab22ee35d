#include "ops/infer/walk.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/order.hpp"
#include "ops/infer/proto_type.hpp"

namespace aegis::inference {
namespace {

constexpr int max_call_depth = 64;
constexpr int max_elements = 4096;  // of a small integer tensor that is followed; longer ones hold no shape

std::string plain(const std::string& domain) { return domain == "ai.onnx" ? std::string() : domain; }

template <class Proto>
std::unique_ptr<Proto> copy(const Proto* proto) {
  return proto == nullptr ? nullptr : std::make_unique<Proto>(*proto);
}

// Loop hands its state on without a shape, since an iteration may change it; the extents that the body declares hold.
void add_declared_shape(onnx::TypeProto* type, const onnx::TypeProto* declared) {
  if (type == nullptr || declared == nullptr || !type->has_tensor_type() || !declared->has_tensor_type()) return;
  if (type->tensor_type().has_shape() || !declared->tensor_type().has_shape()) return;
  auto* shape = type->mutable_tensor_type()->mutable_shape();
  for (const auto& dim : declared->tensor_type().shape().dim()) {
    auto* added = shape->add_dim();
    if (!open_extent(dim)) added->set_dim_value(dim.dim_value());
  }
}

}  // namespace

bool open_extent(const onnx::TensorShapeProto::Dimension& dim) { return !dim.has_dim_value() || dim.dim_value() < 0; }

std::string symbol_name(const Value& input, int axis, const onnx::TensorShapeProto::Dimension& dim) {
  return dim.has_dim_param() && !dim.dim_param().empty() ? dim.dim_param() : fmt::format("{}:{}", input.name, axis);
}

Walk::Walk(const Model& model, const Binding& binding, const Numbers& numbers)
    : model_(model), binding_(binding), numbers_(numbers) {
  types.resize(model.values().size());
  elements.resize(model.values().size());
  data_.resize(model.values().size());
  for (const auto& import : model.opsets()) opsets_[import.domain] = static_cast<int>(import.version);
  for (const Scope& scope : model.scopes()) constants(scope);
}

void Walk::run() {
  for (const ValueId id : model_.main().inputs) bind_input(model_.value(id));
  walk(model_.main(), nullptr, opsets_);
  forget_ambiguous();
}

// Types and small payloads of everything that is stored in the file.
void Walk::constants(const Scope& scope) {
  if (scope.graph == nullptr) return;
  std::size_t i = 0;
  for (const auto& tensor : scope.graph->initializer()) {
    const ValueId id = scope.initializers[i++];
    const std::vector<std::int64_t> dims(tensor.dims().begin(), tensor.dims().end());
    const auto type = to_proto(ValueType::tensor_of(static_cast<DType>(tensor.data_type()), dims));
    types[index(id)] = copy_type(&type);
    if (model_.constant(id) != nullptr && has_payload(tensor)) data_[index(id)] = &tensor;
  }
}

void Walk::bind_input(const Value& input) {
  // IR 3 lists initializers as inputs: their own extents stand.
  if (input.declared == nullptr || model_.constant(input.id) != nullptr) return;
  auto* type = copy_type(input.declared);
  if (type->has_tensor_type() && type->tensor_type().has_shape()) {
    auto& shape = *type->mutable_tensor_type()->mutable_shape();
    const auto given = binding_.shapes.find(std::string(input.name));
    const bool whole = given != binding_.shapes.end() && static_cast<int>(given->second.size()) == shape.dim_size();
    for (int axis = 0; axis < shape.dim_size(); ++axis) {
      auto& dim = *shape.mutable_dim(axis);
      if (whole) {
        dim.set_dim_value(given->second[static_cast<std::size_t>(axis)]);
        continue;
      }
      if (!open_extent(dim)) continue;
      const std::string symbol = symbol_name(input, axis, dim);
      if (const auto it = numbers_.find(symbol); it != numbers_.end())
        dim.set_dim_value(it->second);
      else
        dim.set_dim_param(symbol);
    }
  }
  types[index(input.id)] = type;
}

void Walk::walk(const Scope& scope, const AttributeScope* attributes, const Opsets& opsets) {
  for (const NodeId id : order(scope)) infer(model_.node(id), attributes, opsets);
}

const onnx::OpSchema* Walk::schema(const Node& node, int opset) {
  const auto [it, fresh] = schemas_.try_emplace({node.op, node.domain, opset}, nullptr);
  if (fresh) it->second = schema_of(std::string(node.op), std::string(node.domain), opset);
  return it->second;
}

onnx::TypeProto* Walk::copy_type(const onnx::TypeProto* type) {
  if (type == nullptr) return nullptr;
  auto* made = google::protobuf::Arena::CreateMessage<onnx::TypeProto>(&arena_);
  made->CopyFrom(*type);
  return made;
}

// File order, unless the file is unsorted; nodes of a circle and those behind them stay unknown.
const std::vector<NodeId>& Walk::order(const Scope& scope) {
  if (const auto it = sorted_.find(scope.id); it != sorted_.end()) return it->second;
  return sorted_.emplace(scope.id, dependency_order(model_, scope).nodes).first->second;
}

// A node whose inputs are unknown is unknown, too, and so is one whose bodies return what is unknown; it did not fail.
bool Walk::inputs_typed(const Node& node) const {
  const auto typed = [&](ValueId id) {
    if (id == ValueId::none) return true;
    const auto* type = types[index(id)];
    if (type == nullptr || type->value_case() == onnx::TypeProto::VALUE_NOT_SET) return false;
    return !type->has_tensor_type() || type->tensor_type().elem_type() != onnx::TensorProto::UNDEFINED;
  };
  return std::ranges::all_of(node.inputs, typed) && std::ranges::all_of(node.bodies, [&](ScopeId body) {
           return std::ranges::all_of(model_.scope(body).outputs, typed);
         });
}

NodeInputs Walk::inputs(const Node& node) const {
  NodeInputs in;
  for (const ValueId id : node.inputs) {
    const bool known = id != ValueId::none;
    in.types.push_back(known ? types[index(id)] : nullptr);
    in.data.push_back(known ? data_[index(id)] : nullptr);
    in.shape.push_back(known ? elements[index(id)].get() : nullptr);
  }
  return in;
}

void Walk::infer(const Node& node, const AttributeScope* attributes, const Opsets& opsets) {
  if (node.function != ScopeId::none) return call(node, attributes);
  NodeContext context(
      *node.proto, inputs(node), attributes,
      [&](const std::string& name) { return body(node, name, attributes, opsets); }, arena_);
  PropagationContext propagation(context, *node.proto);
  Outcome outcome;
  if (const auto import = opsets.find(std::string(node.domain)); import != opsets.end())
    outcome = infer_one(schema(node, import->second), *node.proto, import->second, context, &propagation);
  ++inferred;
  if (!outcome.has_schema && unknown_.insert(node.id).second) without_schema.push_back(node.id);
  if (outcome.failure && (outcome.failure->breach != Breach::shape || inputs_typed(node)))
    refuse(node.id, *outcome.failure);
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const ValueId out = node.outputs[i];
    if (out == ValueId::none) continue;
    const bool found = outcome.has_schema && context.outputs()[i]->value_case() != onnx::TypeProto::VALUE_NOT_SET;
    if (found)
      types[index(out)] = context.outputs()[i];
    else if (const auto* declared = model_.value(out).declared)
      types[index(out)] = copy_type(declared);
    if (propagation.outputs()[i]) keep_elements(out, std::move(propagation.outputs()[i]));
  }
  if (node.op == "Constant" && node.domain.empty() && !node.outputs.empty() && node.outputs[0] != ValueId::none)
    keep_constant(node.outputs[0]);
}

void Walk::refuse(NodeId node, Refusal why) {
  if (!refusals.emplace(node, why).second) return;
  failures.push_back({.node = node, .message = std::move(why.message)});
}

void Walk::keep_constant(ValueId id) {
  const TensorSource* source = model_.constant(id);
  if (source == nullptr || !std::holds_alternative<TensorSource::Owned>(source->from)) return;
  const auto tensor = source->read();
  if (!tensor) return;
  made_.push_back(std::make_unique<onnx::TensorProto>(to_proto(*tensor)));
  data_[index(id)] = made_.back().get();
}

// Elements that are all numbers serve as data, too: Expand, Tile and their like ask for data alone.
void Walk::keep_elements(ValueId id, std::unique_ptr<onnx::TensorShapeProto> found) {
  if (found->dim_size() > max_elements) return;
  const auto* type = types[index(id)];
  bool whole = type != nullptr && type->has_tensor_type() && type->tensor_type().has_shape();
  std::vector<std::int64_t> values;
  for (const auto& d : found->dim()) {
    whole = whole && d.has_dim_value();
    values.push_back(d.dim_value());
  }
  if (whole && data_[index(id)] == nullptr) {
    const auto dtype = static_cast<DType>(type->tensor_type().elem_type());
    const int rank = type->tensor_type().shape().dim_size();
    const std::vector<std::int64_t> dims(static_cast<std::size_t>(rank), static_cast<std::int64_t>(values.size()));
    if ((dtype == DType::i64 || dtype == DType::i32) && (rank == 1 || (rank == 0 && values.size() == 1))) {
      const std::vector<double> wide(values.begin(), values.end());
      const Tensor tensor = dtype == DType::i64 ? from_integers(dims, values) : from_doubles(dtype, dims, wide);
      made_.push_back(std::make_unique<onnx::TensorProto>(to_proto(tensor)));
      data_[index(id)] = made_.back().get();
    }
  }
  elements[index(id)] = std::move(found);
}

// A subgraph as its owner's schema function sees it.
class Walk::Body final : public onnx::GraphInferencer {
 public:
  Body(Walk& walk, const Scope& scope, const AttributeScope* attributes, const Opsets& opsets)
      : walk_(walk), scope_(scope), attributes_(attributes), opsets_(opsets) {}

  std::vector<const onnx::TypeProto*> doInferencing(const std::vector<const onnx::TypeProto*>& input_types,
                                                    const std::vector<const onnx::TensorProto*>& input_data) override {
    for (std::size_t i = 0; i < scope_.inputs.size(); ++i) {
      const ValueId id = scope_.inputs[i];
      const auto* given = i < input_types.size() ? input_types[i] : nullptr;
      const bool typed = given != nullptr && given->value_case() != onnx::TypeProto::VALUE_NOT_SET;
      const auto* declared = walk_.model_.value(id).declared;
      auto* type = walk_.copy_type(typed ? given : declared);
      add_declared_shape(type, declared);
      walk_.types[index(id)] = type;
      walk_.data_[index(id)] = i < input_data.size() ? input_data[i] : nullptr;
    }
    walk_.walk(scope_, attributes_, opsets_);
    std::vector<const onnx::TypeProto*> out;  // never null: ONNX's functions read them unasked
    for (const ValueId id : scope_.outputs) {
      const auto* type = id == ValueId::none ? nullptr : walk_.types[index(id)];
      out.push_back(type != nullptr ? type : &onnx::TypeProto::default_instance());
    }
    return out;
  }

 private:
  Walk& walk_;
  const Scope& scope_;
  const AttributeScope* attributes_;
  const Opsets& opsets_;
};

std::unique_ptr<onnx::GraphInferencer> Walk::body(const Node& owner, const std::string& attribute,
                                                  const AttributeScope* attributes, const Opsets& opsets) {
  for (const ScopeId id : owner.bodies)
    if (model_.scope(id).attribute == attribute)
      return std::make_unique<Body>(*this, model_.scope(id), attributes, opsets);
  return nullptr;
}

// Gives the formals of a function what the call hands in; the types as text tell calls apart.
std::string Walk::pass_arguments(const Node& node, const Scope& function) {
  std::string signature;
  for (std::size_t i = 0; i < function.inputs.size(); ++i) {
    const auto formal = index(function.inputs[i]);
    const ValueId actual = i < node.inputs.size() ? node.inputs[i] : ValueId::none;
    const bool given = actual != ValueId::none;
    types[formal] = given ? types[index(actual)] : nullptr;
    data_[formal] = given ? data_[index(actual)] : nullptr;
    elements[formal] = given ? copy(elements[index(actual)].get()) : nullptr;
    signature += (types[formal] ? types[formal]->SerializeAsString() : "?") + '|';
  }
  return signature;
}

void Walk::call(const Node& node, const AttributeScope* outer) {
  if (calls_ >= max_call_depth) {
    refuse(node.id, {.breach = Breach::shape, .message = "functions call each other deeper than 64 levels"});
    return;
  }
  const Scope& function = model_.scope(node.function);
  AttributeScope attributes;
  for (const auto& a : function.function->attribute_proto()) attributes[a.name()] = &a;
  for (const auto& a : node.proto->attribute()) {
    if (a.ref_attr_name().empty())
      attributes[a.name()] = &a;
    else if (outer != nullptr && outer->contains(a.ref_attr_name()))
      attributes[a.name()] = outer->at(a.ref_attr_name());
  }
  const std::string signature = pass_arguments(node, function);
  std::string arguments = signature;
  for (const ValueId formal : function.inputs) {
    if (const auto* data = data_[index(formal)]) arguments += data->SerializeAsString();
    arguments += '|';
    if (const auto& e = elements[index(formal)]) arguments += e->SerializeAsString();
    arguments += '|';
  }
  for (const auto& [name, a] : attributes) arguments += name + '=' + a->SerializeAsString();

  auto known = returned_.find({function.id, arguments});
  if (known == returned_.end())
    known = returned_.emplace(std::pair(function.id, std::move(arguments)), run_body(function, attributes)).first;
  const Returned& returned = known->second;
  for (std::size_t i = 0; i < node.outputs.size() && i < returned.types.size(); ++i) {
    if (node.outputs[i] == ValueId::none) continue;
    if (returned.types[i]) types[index(node.outputs[i])] = returned.types[i];
    if (returned.elements[i]) keep_elements(node.outputs[i], copy(returned.elements[i].get()));
  }
  const auto [it, first] = signatures_.try_emplace(function.id, signature);
  if (!first && it->second != signature) several_types_.insert(function.id);
}

Walk::Returned Walk::run_body(const Scope& function, const AttributeScope& attributes) {
  Opsets opsets = opsets_;
  for (const auto& import : function.function->opset_import())
    opsets[plain(import.domain())] = static_cast<int>(import.version());
  ++calls_;
  walk(function, &attributes, opsets);
  --calls_;
  Returned returned;
  for (const ValueId out : function.outputs) {
    returned.types.push_back(types[index(out)]);
    returned.elements.push_back(copy(elements[index(out)].get()));
  }
  return returned;
}

// Inner values of functions that calls gave different types: nothing that holds for all calls is known.
void Walk::forget_ambiguous() {
  if (several_types_.empty()) return;
  for (const Value& v : model_.values())
    if (v.alive && several_types_.contains(v.scope)) types[index(v.id)] = nullptr;
}

}  // namespace aegis::inference
