// The walk over a model: scope by scope, node by node in dependency order, types kept by ValueId.
//
// Subgraphs are walked when their owner's schema function asks for them, with the types that it hands in; model-local
// functions are walked at each call with the types of that call. When two calls give a body different types, the
// types of its inner values are unknown.
//
// A caller binds symbols to numbers. Which extents move with which symbol is found by walking again with one symbol
// changed: ONNX's functions turn arithmetic on symbols into fresh unknowns, so an expression cannot be followed.
#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "ops/infer.hpp"
#include "ops/infer/context.hpp"
#include "ops/infer/proto_type.hpp"

namespace aegis {
namespace {

using inference::NodeContext;
using inference::NodeInputs;
using inference::PropagationContext;
using Numbers = std::map<std::string, std::int64_t>;

constexpr int max_call_depth = 64;

std::string symbol_name(const Value& input, int axis, const onnx::TensorShapeProto::Dimension& dim) {
  return dim.has_dim_param() && !dim.dim_param().empty() ? dim.dim_param() : fmt::format("{}:{}", input.name, axis);
}

bool open_extent(const onnx::TensorShapeProto::Dimension& dim) { return !dim.has_dim_value() || dim.dim_value() < 0; }

class Walk {
 public:
  Walk(const Model& model, const Binding& binding, const Numbers& numbers)
      : model_(model), binding_(binding), numbers_(numbers) {
    types_.resize(model.values().size());
    elements_.resize(model.values().size());
    data_.resize(model.values().size());
    for (const auto& import : model.opsets()) opsets_[import.domain] = static_cast<int>(import.version);
    for (const Scope& scope : model.scopes()) constants(scope);
  }

  void run() {
    for (const ValueId id : model_.main().inputs) bind_input(model_.value(id));
    scope(model_.main(), nullptr, opsets_);
  }

  std::vector<std::unique_ptr<onnx::TypeProto>> types_;            // by ValueId; null: unknown
  std::vector<std::unique_ptr<onnx::TensorShapeProto>> elements_;  // by ValueId; null: not known
  std::vector<InferenceFailure> failures_;
  std::vector<NodeId> without_schema_;
  std::uint64_t inferred_ = 0;

 private:
  using Opsets = std::map<std::string, int>;

  // Types and small payloads of everything that is stored in the file.
  void constants(const Scope& scope) {
    if (scope.graph == nullptr) return;
    std::size_t i = 0;
    for (const auto& tensor : scope.graph->initializer()) {
      const ValueId id = scope.initializers[i++];
      types_[index(id)] = std::make_unique<onnx::TypeProto>(inference::to_proto(
          ValueType::tensor_of(static_cast<DType>(tensor.data_type()),
                               std::vector<std::int64_t>(tensor.dims().begin(), tensor.dims().end()))));
      if (model_.constant(id) != nullptr && inference::has_payload(tensor)) data_[index(id)] = &tensor;
    }
  }

  void bind_input(const Value& input) {
    if (input.declared == nullptr) return;
    if (model_.constant(input.id) != nullptr) return;  // IR 3 lists initializers as inputs: their own extents stand
    auto type = std::make_unique<onnx::TypeProto>(*input.declared);
    if (type->has_tensor_type() && type->tensor_type().has_shape()) {
      auto& shape = *type->mutable_tensor_type()->mutable_shape();
      const auto given = binding_.shapes.find(std::string(input.name));
      for (int axis = 0; axis < shape.dim_size(); ++axis) {
        auto& dim = *shape.mutable_dim(axis);
        if (given != binding_.shapes.end() && static_cast<int>(given->second.size()) == shape.dim_size()) {
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
    types_[index(input.id)] = std::move(type);
  }

  void scope(const Scope& s, const inference::AttributeScope* attributes, const Opsets& opsets) {
    for (const NodeId id : order(s)) node(model_.node(id), attributes, opsets);
  }

  // File order, unless the file is unsorted: then the order in which inputs become known.
  const std::vector<NodeId>& order(const Scope& s) {
    if (const auto it = sorted_.find(s.id); it != sorted_.end()) return it->second;
    std::set<NodeId> seen;
    bool ordered = true;
    for (const NodeId id : s.nodes) {
      for (const ValueId in : model_.node(id).inputs)
        if (in != ValueId::none && model_.value(in).scope == s.id && model_.value(in).producer != NodeId::none &&
            !seen.contains(model_.value(in).producer))
          ordered = false;
      seen.insert(id);
    }
    if (ordered) return s.nodes;
    std::vector<NodeId> out, waiting = s.nodes;
    std::set<NodeId> done;
    while (!waiting.empty()) {
      std::vector<NodeId> later;
      for (const NodeId id : waiting) {
        bool ready = true;
        for (const ValueId in : model_.node(id).inputs)
          if (in != ValueId::none && model_.value(in).scope == s.id && model_.value(in).producer != NodeId::none)
            ready = ready && done.contains(model_.value(in).producer);
        (ready ? out : later).push_back(id);
        if (ready) done.insert(id);
      }
      if (later.size() == waiting.size()) break;  // a cycle: the rest stays unknown
      waiting = std::move(later);
    }
    return sorted_.emplace(s.id, std::move(out)).first->second;
  }

  // A node whose inputs are unknown is unknown, too; it did not fail.
  bool inputs_typed(const Node& n) const {
    return std::all_of(n.inputs.begin(), n.inputs.end(),
                       [&](ValueId id) { return id == ValueId::none || types_[index(id)] != nullptr; });
  }

  NodeInputs inputs(const Node& n) {
    NodeInputs in;
    for (const ValueId id : n.inputs) {
      const bool known = id != ValueId::none;
      in.types.push_back(known ? types_[index(id)].get() : nullptr);
      in.data.push_back(known ? data_[index(id)] : nullptr);
      in.shape.push_back(known ? elements_[index(id)].get() : nullptr);
    }
    return in;
  }

  void node(const Node& n, const inference::AttributeScope* attributes, const Opsets& opsets) {
    if (n.function != ScopeId::none) return call(n, attributes);
    const auto import = opsets.find(std::string(n.domain));
    NodeContext context(*n.proto, inputs(n), attributes,
                        [&](const std::string& name) { return body(n, name, attributes, opsets); });
    PropagationContext propagation(context, *n.proto);
    inference::Outcome outcome;
    if (import != opsets.end()) outcome = inference::infer_one(*n.proto, import->second, context, &propagation);
    ++inferred_;
    if (!outcome.has_schema) without_schema_.push_back(n.id);
    if (!outcome.failure.empty() && inputs_typed(n)) failures_.push_back({.node = n.id, .message = outcome.failure});
    for (std::size_t i = 0; i < n.outputs.size(); ++i) {
      const ValueId out = n.outputs[i];
      if (out == ValueId::none) continue;
      const bool inferred = outcome.has_schema && context.outputs()[i].value_case() != onnx::TypeProto::VALUE_NOT_SET;
      const auto* declared = model_.value(out).declared;
      if (inferred)
        types_[index(out)] = std::make_unique<onnx::TypeProto>(std::move(context.outputs()[i]));
      else if (declared != nullptr)
        types_[index(out)] = std::make_unique<onnx::TypeProto>(*declared);
      if (propagation.outputs()[i]) keep_elements(out, std::move(propagation.outputs()[i]));
    }
    if (n.op == "Constant" && n.domain.empty() && !n.outputs.empty() && n.outputs[0] != ValueId::none)
      keep_constant(n.outputs[0]);
  }

  void keep_constant(ValueId id) {
    const TensorSource* source = model_.constant(id);
    if (source == nullptr || !std::holds_alternative<TensorSource::Owned>(source->from)) return;
    const auto tensor = source->read();
    if (!tensor) return;
    made_.push_back(std::make_unique<onnx::TensorProto>(inference::to_proto(*tensor)));
    data_[index(id)] = made_.back().get();
  }

  // Elements that are all numbers serve as data, too: Expand, Tile and their like ask for data alone.
  void keep_elements(ValueId id, std::unique_ptr<onnx::TensorShapeProto> elements) {
    const auto* type = types_[index(id)].get();
    bool all = type != nullptr && type->has_tensor_type() && type->tensor_type().has_shape();
    for (const auto& d : elements->dim()) all = all && d.has_dim_value();
    if (all && data_[index(id)] == nullptr) {
      const auto dtype = static_cast<DType>(type->tensor_type().elem_type());
      const int rank = type->tensor_type().shape().dim_size();
      std::vector<std::int64_t> values;
      for (const auto& d : elements->dim()) values.push_back(d.dim_value());
      if ((dtype == DType::i64 || dtype == DType::i32) && rank <= 1 && (rank == 1 || values.size() == 1)) {
        const std::vector<std::int64_t> dims(static_cast<std::size_t>(rank), static_cast<std::int64_t>(values.size()));
        const std::vector<double> wide(values.begin(), values.end());
        made_.push_back(std::make_unique<onnx::TensorProto>(
            inference::to_proto(dtype == DType::i64 ? from_integers(dims, values) : from_doubles(dtype, dims, wide))));
        data_[index(id)] = made_.back().get();
      }
    }
    elements_[index(id)] = std::move(elements);
  }

  // A subgraph as its owner's schema function sees it.
  class Body final : public onnx::GraphInferencer {
   public:
    Body(Walk& walk, const Scope& scope, const inference::AttributeScope* attributes, const Opsets& opsets)
        : walk_(walk), scope_(scope), attributes_(attributes), opsets_(opsets) {}
    std::vector<const onnx::TypeProto*> doInferencing(
        const std::vector<const onnx::TypeProto*>& input_types,
        const std::vector<const onnx::TensorProto*>& input_data) override {
      for (std::size_t i = 0; i < scope_.inputs.size(); ++i) {
        const ValueId id = scope_.inputs[i];
        const auto* declared = walk_.model_.value(id).declared;
        const auto* given = i < input_types.size() ? input_types[i] : nullptr;
        if (given != nullptr)
          walk_.types_[index(id)] = std::make_unique<onnx::TypeProto>(*given);
        else if (declared != nullptr)
          walk_.types_[index(id)] = std::make_unique<onnx::TypeProto>(*declared);
        walk_.data_[index(id)] = i < input_data.size() ? input_data[i] : nullptr;
      }
      walk_.scope(scope_, attributes_, opsets_);
      std::vector<const onnx::TypeProto*> out;
      for (const ValueId id : scope_.outputs) out.push_back(walk_.types_[index(id)].get());
      return out;
    }

   private:
    Walk& walk_;
    const Scope& scope_;
    const inference::AttributeScope* attributes_;
    const Opsets& opsets_;
  };
  std::unique_ptr<onnx::GraphInferencer> body(const Node& owner, const std::string& attribute,
                                              const inference::AttributeScope* attributes, const Opsets& opsets) {
    for (const ScopeId id : owner.bodies)
      if (model_.scope(id).attribute == attribute)
        return std::make_unique<Body>(*this, model_.scope(id), attributes, opsets);
    return nullptr;
  }

  void call(const Node& n, const inference::AttributeScope* outer) {
    const Scope& f = model_.scope(n.function);
    if (calls_ >= max_call_depth) {
      failures_.push_back({.node = n.id, .message = "functions call each other deeper than 64 levels"});
      return;
    }
    inference::AttributeScope attributes;
    for (const auto& a : f.function->attribute_proto()) attributes[a.name()] = &a;
    for (const auto& a : n.proto->attribute()) {
      if (a.ref_attr_name().empty()) {
        attributes[a.name()] = &a;
      } else if (outer != nullptr) {
        if (const auto it = outer->find(a.ref_attr_name()); it != outer->end()) attributes[a.name()] = it->second;
      }
    }
    Opsets opsets = opsets_;
    for (const auto& import : f.function->opset_import())
      opsets[import.domain() == "ai.onnx" ? "" : import.domain()] = static_cast<int>(import.version());

    std::string signature;
    for (std::size_t i = 0; i < f.inputs.size(); ++i) {
      const ValueId actual = i < n.inputs.size() ? n.inputs[i] : ValueId::none;
      const auto* type = actual == ValueId::none ? nullptr : types_[index(actual)].get();
      types_[index(f.inputs[i])] = type == nullptr ? nullptr : std::make_unique<onnx::TypeProto>(*type);
      data_[index(f.inputs[i])] = actual == ValueId::none ? nullptr : data_[index(actual)];
      elements_[index(f.inputs[i])] = actual == ValueId::none || !elements_[index(actual)]
                                          ? nullptr
                                          : std::make_unique<onnx::TensorShapeProto>(*elements_[index(actual)]);
      signature += type == nullptr ? "?" : type->SerializeAsString();
      signature += '|';
    }
    ++calls_;
    scope(f, &attributes, opsets);
    --calls_;
    for (std::size_t i = 0; i < n.outputs.size() && i < f.outputs.size(); ++i) {
      if (n.outputs[i] == ValueId::none) continue;
      const auto& type = types_[index(f.outputs[i])];
      if (type) types_[index(n.outputs[i])] = std::make_unique<onnx::TypeProto>(*type);
      if (const auto& e = elements_[index(f.outputs[i])])
        keep_elements(n.outputs[i], std::make_unique<onnx::TensorShapeProto>(*e));
    }
    const auto [it, first] = signatures_.try_emplace(f.id, signature);
    if (!first && it->second != signature) several_types_.insert(f.id);
  }

 public:
  // Inner values of functions that calls gave different types: nothing that holds for all calls is known.
  void forget_ambiguous() {
    for (const Value& v : model_.values())
      if (v.alive && several_types_.contains(v.scope)) types_[index(v.id)] = nullptr;
  }

 private:
  const Model& model_;
  const Binding& binding_;
  const Numbers& numbers_;
  std::vector<const onnx::TensorProto*> data_;  // by ValueId
  std::vector<std::unique_ptr<onnx::TensorProto>> made_;
  Opsets opsets_;
  std::map<ScopeId, std::vector<NodeId>> sorted_;
  std::map<ScopeId, std::string> signatures_;
  std::set<ScopeId> several_types_;
  int calls_ = 0;
};

// --- symbols

struct OpenExtent {
  std::string name;
  bool batch = false;  // the first axis of an input, or named like a batch
};

std::vector<OpenExtent> open_extents(const Model& model, const Binding& binding) {
  std::vector<OpenExtent> out;
  for (const ValueId id : model.main().inputs) {
    const Value& input = model.value(id);
    if (input.declared == nullptr || !input.declared->has_tensor_type() || model.constant(id) != nullptr) continue;
    if (binding.shapes.contains(std::string(input.name))) continue;
    const auto& shape = input.declared->tensor_type().shape();
    for (int axis = 0; axis < shape.dim_size(); ++axis) {
      if (!open_extent(shape.dim(axis))) continue;
      const std::string name = symbol_name(input, axis, shape.dim(axis));
      if (std::any_of(out.begin(), out.end(), [&](const OpenExtent& e) { return e.name == name; })) continue;
      std::string lower(name);
      std::transform(lower.begin(), lower.end(), lower.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      out.push_back({.name = name,
                     .batch = axis == 0 || lower == "n" || lower == "b" || lower.find("batch") != std::string::npos});
    }
  }
  return out;
}

// The numbers that unbound symbols are given: batch 1, all others the first size for which no node refuses.
Numbers assume(const Model& model, const Binding& binding, const std::vector<OpenExtent>& open) {
  constexpr std::int64_t sizes[] = {64, 32, 128, 224, 16, 256, 8, 512};
  Numbers best;
  std::size_t fewest = SIZE_MAX;
  bool others = false;
  for (const std::int64_t size : sizes) {
    Numbers numbers = binding.symbols;
    for (const OpenExtent& e : open)
      if (!numbers.contains(e.name)) {
        numbers[e.name] = e.batch ? 1 : size;
        others = others || !e.batch;
      }
    Walk walk(model, binding, numbers);
    walk.run();
    if (walk.failures_.size() < fewest) {
      fewest = walk.failures_.size();
      best = numbers;
    }
    if (fewest == 0 || !others) break;
  }
  return best;
}

void mark_dependence(const Walk& base, const Walk& moved, std::uint64_t bit, bool assumed, TypeTable& table) {
  for (std::size_t i = 0; i < table.types.size(); ++i) {
    if (!table.types[i].dims || !moved.types_[i] || !base.types_[i]) continue;
    const auto other = inference::from_proto(*moved.types_[i], [](const std::string&) { return Dim{}; });
    if (!other.dims || other.dims->size() != table.types[i].dims->size()) continue;
    for (std::size_t d = 0; d < other.dims->size(); ++d) {
      Dim& dim = (*table.types[i].dims)[d];
      if (!dim.known() || (*other.dims)[d].value() == dim.value()) continue;
      dim.depends |= bit;
      if (dim.origin != Dim::Origin::assumed) dim.origin = assumed ? Dim::Origin::assumed : Dim::Origin::bound;
    }
  }
}

}  // namespace

TypeTable infer(const Model& model, const Binding& binding) {
  TypeTable table;
  const auto open = open_extents(model, binding);
  const Numbers numbers = binding.assume ? assume(model, binding, open) : binding.symbols;
  Walk walk(model, binding, numbers);
  walk.run();
  walk.forget_ambiguous();

  for (const OpenExtent& e : open) {
    Symbol symbol{.name = e.name};
    if (const auto it = binding.symbols.find(e.name); it != binding.symbols.end())
      symbol.bound = it->second;
    else if (const auto assumed = numbers.find(e.name); assumed != numbers.end())
      symbol.assumed = assumed->second;
    table.symbols.push_back(std::move(symbol));
  }
  const auto symbol_of = [&](const std::string& name) {
    for (std::uint32_t i = 0; i < table.symbols.size(); ++i)
      if (table.symbols[i].name == name)
        return Dim{.symbol = i, .kind = Dim::Kind::symbol, .depends = std::uint64_t{1} << std::min(i, 63u)};
    return Dim{};
  };
  table.types.resize(model.values().size());
  table.known.resize(model.values().size());
  table.has_known.resize(model.values().size());
  for (std::size_t i = 0; i < table.types.size(); ++i) {
    if (walk.types_[i]) table.types[i] = inference::from_proto(*walk.types_[i], symbol_of);
    if (!walk.elements_[i]) continue;
    bool all = true;
    for (const auto& d : walk.elements_[i]->dim()) {
      all = all && d.has_dim_value();
      table.known[i].push_back(d.dim_value());
    }
    if (!all) table.known[i].clear();
    table.has_known[i] = all;
  }
  table.failures = std::move(walk.failures_);
  table.without_schema = std::move(walk.without_schema_);
  table.nodes_inferred = walk.inferred_;

  constexpr std::uint32_t perturbed = 8;  // symbols past the eighth are not followed
  for (std::uint32_t i = 0; i < table.symbols.size() && i < perturbed; ++i) {
    const Symbol& symbol = table.symbols[i];
    const auto at = symbol.bound ? symbol.bound : symbol.assumed;
    if (!at) continue;
    Numbers moved_numbers = numbers;
    moved_numbers[symbol.name] = *at * 2;
    Walk moved(model, binding, moved_numbers);
    moved.run();
    mark_dependence(walk, moved, std::uint64_t{1} << i, symbol.assumed.has_value(), table);
  }
  return table;
}

Result<std::vector<ValueType>> infer_node(const Model& model, const Node& node, std::span<const ValueType> inputs,
                                          std::span<const Tensor* const> constants) {
  std::vector<onnx::TypeProto> types;
  std::vector<std::unique_ptr<onnx::TensorProto>> data;
  types.reserve(inputs.size());
  NodeInputs in;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    types.push_back(inference::to_proto(inputs[i]));
    in.types.push_back(inputs[i].kind == ValueType::Kind::unknown ? nullptr : &types.back());
    const Tensor* known = i < constants.size() ? constants[i] : nullptr;
    if (known != nullptr) data.push_back(std::make_unique<onnx::TensorProto>(inference::to_proto(*known)));
    in.data.push_back(known != nullptr ? data.back().get() : nullptr);
    in.shape.push_back(nullptr);
  }
  NodeContext context(*node.proto, std::move(in), nullptr, {});
  const auto outcome = inference::infer_one(*node.proto, static_cast<int>(model.opset(node.domain)), context, nullptr);
  if (!outcome.has_schema)
    return Error{
        .fault = Fault::file,
        .code = "ST515",
        .message = fmt::format("operator {} has no schema in domain '{}' at opset {}; import an opset that has it",
                               node.op, node.domain, model.opset(node.domain)),
        .where = label(model, node.id)};
  if (!outcome.failure.empty())
    return Error{.fault = Fault::file, .code = "ST515", .message = outcome.failure, .where = label(model, node.id)};
  std::vector<ValueType> out;
  for (const auto& type : context.outputs())
    out.push_back(inference::from_proto(type, [](const std::string&) { return Dim{}; }));
  return out;
}

}  // namespace aegis
