#include "linter/host/graph.hpp"

#include <algorithm>
#include <limits>

#include "linter/abi.hpp"
#include "linter/host/attributes.hpp"
#include "ops/graph/schemas.hpp"
#include "ops/graph/structure.hpp"

namespace aegis::host {

static std::uint32_t kind_of(ValueType::Kind kind) {
  switch (kind) {
    case ValueType::Kind::tensor: return AEGIS_TYPE_TENSOR;
    case ValueType::Kind::sparse: return AEGIS_TYPE_SPARSE;
    case ValueType::Kind::sequence: return AEGIS_TYPE_SEQUENCE;
    case ValueType::Kind::optional: return AEGIS_TYPE_OPTIONAL;
    case ValueType::Kind::map: return AEGIS_TYPE_MAP;
    case ValueType::Kind::unknown: break;
  }
  return AEGIS_TYPE_UNKNOWN;
}

static double bytes_of(const ValueType& type) {
  const auto elements = type.elements();
  if (!elements || bits(type.dtype) == 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(raw_bytes(type.dtype, static_cast<std::uint64_t>(*elements)));
}

static std::uint32_t output_index(const Model& model, const Value& value) {
  if (value.producer == NodeId::none) return 0;
  const auto& outputs = model.node(value.producer).outputs;
  return static_cast<std::uint32_t>(std::ranges::find(outputs, value.id) - outputs.begin());
}

static std::uint32_t value_flags(const Model& model, const Value& value) {
  std::uint32_t flags = 0;
  const bool formal = value.input && value.scope != ScopeId::main;
  if (value.input && !formal) flags |= AEGIS_VALUE_INPUT;
  if (formal) flags |= AEGIS_VALUE_FORMAL;
  if (value.output) flags |= AEGIS_VALUE_OUTPUT;
  if (value.initializer) flags |= AEGIS_VALUE_INITIALIZER;
  const TensorSource* constant = model.constant(value.id);
  if (constant) flags |= AEGIS_VALUE_CONSTANT;
  if (value.initializer && !constant) flags |= AEGIS_VALUE_OVERRIDABLE;
  if (constant && std::holds_alternative<TensorSource::External>(constant->from)) flags |= AEGIS_VALUE_EXTERNAL;
  return flags;
}

static std::uint32_t node_flags(const Model& model, const Structure& structure, const Node& node) {
  std::uint32_t flags = 0;
  const Op* op = structure.op(node.id);
  if (node.function != ScopeId::none) flags |= AEGIS_NODE_CALL;
  if (is_random(node)) flags |= AEGIS_NODE_RANDOM;
  if (op) {
    if (op->risk == Risk::move) flags |= AEGIS_NODE_MOVEMENT;
    if (op->cost.kind == CostClass::elementwise) flags |= AEGIS_NODE_ELEMENTWISE;
    if (op->cost.kind == CostClass::view) flags |= AEGIS_NODE_VIEW;
  }
  bool read = false;
  for (const ValueId output : node.outputs)
    read = read || (output != ValueId::none && !model.value(output).uses.empty());
  if (!read) flags |= AEGIS_NODE_DEAD;
  if (structure.role(node.id) == NodeRole::constant) flags |= AEGIS_NODE_CONSTANT;
  return flags;
}

Graph::Graph(FactTable& facts) {
  scopes_.resize(facts.model().scopes().size());
  add_values(facts);
  add_scopes(facts);
  add_nodes(facts);
  set_model(facts.model());
}

aegis_values Graph::pool(std::span<const ValueId> ids) {
  auto& own = value_lists_.emplace_back();
  own.reserve(ids.size());
  for (const ValueId id : ids) own.push_back(handle(id));
  return {own.data(), own.size()};
}

aegis_nodes Graph::pool(std::span<const NodeId> ids) {
  auto& own = node_lists_.emplace_back();
  own.reserve(ids.size());
  for (const NodeId id : ids) own.push_back(handle(id));
  return {own.data(), own.size()};
}

void Graph::add_values(FactTable& facts) {
  const Model& model = facts.model();
  values_.resize(model.values().size());
  for (const Value& value : model.values()) {
    if (!value.alive) continue;
    const ValueType& type = facts.types().of(value.id);
    auto& dims = dims_.emplace_back();
    for (const Dim& dim : type.dims.value_or(std::vector<Dim>())) dims.push_back(facts.dim(dim));
    auto& uses = uses_.emplace_back();
    for (const Use& use : value.uses) uses.push_back({handle(use.node), use.slot});
    aegis_value_info& info = values_[index(value.id)];
    info = {.struct_size = sizeof info,
            .flags = value_flags(model, value),
            .name = abi::str(value.name),
            .scope = handle(value.scope),
            .producer = handle(value.producer),
            .output = output_index(model, value),
            .uses_count = static_cast<std::uint32_t>(uses.size()),
            .type = {.kind = kind_of(type.kind),
                     .dtype = static_cast<aegis_dtype>(type.dtype),
                     .rank = type.rank(),
                     .zero = 0,
                     .dims = dims.data()},
            .uses = uses.data(),
            .bytes = bytes_of(type)};
  }
}

// A count that the cost model knows as a number, NaN when it cannot be told.
static aegis_dim dim_of(double count) {
  const bool known = count >= 0;
  return {.value = known ? static_cast<std::int64_t>(count) : -1,
          .expr = AEGIS_NONE,
          .kind = static_cast<std::uint16_t>(known ? AEGIS_DIM_VALUE : AEGIS_DIM_UNKNOWN),
          .origin = AEGIS_DIM_STATIC};
}

static std::vector<NodeId> calls_of(const Model& model, ScopeId function) {
  std::vector<NodeId> out;
  for (const Node& node : model.nodes()) {
    if (node.alive && node.function == function) out.push_back(node.id);
  }
  return out;
}

static std::vector<ValueId> captures_of(const Model& model, const Scope& scope) {
  std::vector<ValueId> out;
  for (const NodeId id : scope.nodes) {
    for (const ValueId input : model.node(id).inputs) {
      if (input != ValueId::none && model.value(input).scope != scope.id) out.push_back(input);
    }
  }
  return out;
}

void Graph::add_scopes(FactTable& facts) {
  const Model& model = facts.model();
  const auto& structure = facts.analysis<Structure>();
  for (const Scope& scope : model.scopes()) {
    scope_ids_.push_back(handle(scope.id));
    aegis_scope_info& info = scopes_[index(scope.id)];
    info.struct_size = sizeof info;
    info.kind = static_cast<std::uint32_t>(scope.kind);
    info.parent = handle(scope.parent);
    info.owner = handle(scope.owner);
    info.attribute = abi::str(scope.attribute);
    info.path = abi::str(scope.path);
    if (scope.kind == ScopeKind::function) {  // "/function:domain:name"
      const std::string_view path = scope.path;
      const std::size_t colon = path.rfind(':'), first = path.find(':');
      info.name = abi::str(path.substr(colon + 1));
      if (first < colon) info.domain = abi::str(path.substr(first + 1, colon - first - 1));
    }
    info.nodes = pool(std::span<const NodeId>(scope.nodes));
    info.calls = scope.kind == ScopeKind::function ? pool(calls_of(model, scope.id)) : aegis_nodes{};
    info.inputs = pool(std::span<const ValueId>(scope.inputs));
    info.outputs = pool(std::span<const ValueId>(scope.outputs));
    info.initializers = pool(std::span<const ValueId>(scope.initializers));
    info.captures = pool(captures_of(model, scope));
    info.trips = dim_of(structure.trips(scope.id));
    info.instances = 1;
  }
}

void Graph::add_nodes(FactTable& facts) {
  const Model& model = facts.model();
  const auto& structure = facts.analysis<Structure>();
  const auto& schemas = facts.analysis<Schemas>();
  nodes_.resize(model.nodes().size());
  for (const Scope& scope : model.scopes()) {
    const aegis_dim times = dim_of(structure.times(scope.id));
    std::uint32_t position = 0;
    for (const NodeId id : scope.nodes) {
      const Node& node = model.node(id);
      const std::int64_t opset = model.opset(node.domain);
      auto& bodies = scope_lists_.emplace_back();
      for (const ScopeId body : node.bodies) bodies.push_back(handle(body));
      const std::string& path =
          texts_.emplace_back((scope.path == "/" ? std::string() : scope.path) + "/" + label(model, id));
      const SourcePosition source = source_position(node);
      aegis_node_info& info = nodes_[index(id)];
      info = {.struct_size = sizeof info,
              .flags = node_flags(model, structure, node),
              .op = abi::str(node.op),
              .domain = abi::str(node.domain),
              .name = abi::str(node.name),
              .path = abi::str(path),
              .scope = handle(scope.id),
              .index = position++,
              .opset = opset,
              .since_version = schemas.since_version(node, opset),
              .inputs = pool(std::span<const ValueId>(node.inputs)),
              .outputs = pool(std::span<const ValueId>(node.outputs)),
              .bodies = {bodies.data(), bodies.size()},
              .times = times,
              .source = {abi::str(source.file), abi::str(source.module), source.line},
              .group = handle(facts.group_of(id)),
              .zero = 0};
      if (info.since_version == 0) info.flags |= AEGIS_NODE_NO_SCHEMA;
      all_.push_back(handle(id));
      std::string op =
          node.domain.empty() ? std::string(node.op) : std::string(node.domain) + "::" + std::string(node.op);
      by_op_[std::move(op)].push_back(handle(id));
    }
  }
}

aegis_nodes Graph::nodes(std::string_view op) const {
  if (op.empty()) return {all_.data(), all_.size()};
  const auto found = by_op_.find(op);
  return found == by_op_.end() ? aegis_nodes{} : aegis_nodes{found->second.data(), found->second.size()};
}

void Graph::set_model(const Model& model) {
  double parameters = 0, inline_bytes = 0;
  for (const Value& value : model.values()) {
    const TensorSource* constant = value.alive ? model.initializer(value.id) : nullptr;
    if (!constant) continue;
    if (is_float(constant->type)) parameters += static_cast<double>(constant->elements());
    if (!std::holds_alternative<TensorSource::External>(constant->from)) {
      inline_bytes += static_cast<double>(constant->stored_size());
    }
  }
  for (const Opset& opset : model.opsets()) {
    opsets_.push_back({abi::str(texts_.emplace_back(opset.domain)), opset.version});
  }
  const ModelTexts origin = model_texts(model);
  model_ = {.struct_size = sizeof model_,
            .flags = 0,
            .ir_version = model.ir_version(),
            .file_bytes = static_cast<double>(model.file_bytes()),
            .inline_bytes = inline_bytes,
            .parameters = parameters,
            .path = abi::str(model.path()),
            .producer = abi::str(origin.producer),
            .producer_version = abi::str(origin.producer_version),
            .opsets = {opsets_.data(), static_cast<std::uint32_t>(opsets_.size()), sizeof(aegis_opset_import)},
            .main = {0},
            .zero = 0};
}

}  // namespace aegis::host
