#include "ops/graph/structure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/attribute.hpp"

namespace aegis {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t host_elements = 256;  // larger integer values are data, not shapes

bool is_default_domain(const Node& node) { return node.domain.empty() || node.domain == "ai.onnx"; }

}  // namespace

bool is_random(const Node& node) {
  constexpr std::array names = {"RandomNormal",      "RandomNormalLike", "RandomUniform",
                                "RandomUniformLike", "Multinomial",      "Bernoulli"};
  for (const std::string_view name : names)
    if (node.op == name) return true;
  return node.op == "Dropout" && node.inputs.size() > 2 && node.inputs[2] != ValueId::none;
}

std::optional<std::vector<std::int64_t>> known_integers(const FactTable& table, ValueId value) {
  if (value == ValueId::none) return std::nullopt;
  const auto& types = table.types();
  if (types.has_known.size() > index(value) && types.has_known[index(value)]) return types.known[index(value)];
  const TensorSource* source = table.model().constant(value);
  if (!source || source->raw_size() > 1024) return std::nullopt;
  const auto tensor = source->read();
  if (!tensor) return std::nullopt;
  auto integers = to_integers(*tensor);
  if (!integers) return std::nullopt;
  return *std::move(integers);
}

std::optional<double> scalar(const FactTable& table, ValueId value) {
  if (value == ValueId::none) return std::nullopt;
  const TensorSource* source = table.model().constant(value);
  if (!source || source->elements() != 1 || source->raw_size() > 16) return std::nullopt;
  const auto tensor = source->read();
  if (!tensor) return std::nullopt;
  const auto numbers = to_doubles(*tensor);
  if (!numbers || numbers->size() != 1) return std::nullopt;
  return numbers->front();
}

std::optional<std::int64_t> Structure::elements(ValueId id) const { return types_.of(id).elements(); }

Structure::Structure(FactTable& table) : model_(table.model()), types_(table.types()) {
  const auto nodes = model_.nodes();
  const auto values = model_.values();
  roles_.assign(nodes.size(), NodeRole::kernel);
  ops_.assign(nodes.size(), nullptr);
  positions_.assign(nodes.size(), 0);
  failed_.assign(nodes.size(), false);
  for (const auto& failure : types_.failures)
    if (failure.node != NodeId::none) failed_[index(failure.node)] = true;
  constant_.assign(values.size(), false);
  host_.assign(values.size(), false);
  roots_.resize(values.size());
  for (const auto& value : values) {
    roots_[index(value.id)] = value.id;
    constant_[index(value.id)] = value.alive && model_.constant(value.id) != nullptr;
  }
  for (const auto& scope : model_.scopes()) {
    for (const NodeId id : scope.nodes) {
      const Node& node = model_.node(id);
      if (!node.alive) continue;
      positions_[index(id)] = static_cast<std::uint32_t>(order_.size());
      order_.push_back(id);
      ops_[index(id)] = node.function == ScopeId::none ? find_op(node.domain, node.op) : nullptr;
      const NodeRole role = roles_[index(id)] = classify(node);
      // Quantised weights are kept narrow: no runtime folds their DequantizeLinear, yet its result is a weight.
      const bool weight = node.op == "DequantizeLinear" && all_constant(node);
      for (const ValueId out : node.outputs) {
        if (out == ValueId::none) continue;
        if (role == NodeRole::constant || weight) constant_[index(out)] = true;
        if (role == NodeRole::host) host_[index(out)] = true;
      }
      if (role == NodeRole::view && !node.inputs.empty() && node.inputs[0] != ValueId::none && !node.outputs.empty() &&
          node.outputs[0] != ValueId::none)
        roots_[index(node.outputs[0])] = roots_[index(node.inputs[0])];
    }
  }
  count_times(table);
}

bool Structure::all_constant(const Node& node) const {
  return std::all_of(node.inputs.begin(), node.inputs.end(),
                     [&](ValueId in) { return in == ValueId::none || constant_[index(in)]; });
}

NodeRole Structure::classify(const Node& node) const {
  const Op* op = ops_[index(node.id)];
  if (!node.bodies.empty() || node.function != ScopeId::none) return NodeRole::control;
  if (!op) return NodeRole::kernel;
  bool all_host = true, any_host = false;
  for (const ValueId in : node.inputs) {
    if (in == ValueId::none) continue;
    all_host = all_host && (constant_[index(in)] || host_[index(in)]);
    any_host = any_host || host_[index(in)];
  }
  if (all_constant(node) && is_default_domain(node) && !is_random(node))
    return node.op == "DequantizeLinear" ? NodeRole::kernel : NodeRole::constant;
  const CostClass kind = op->cost.kind;
  if (kind == CostClass::host) return NodeRole::host;
  const bool arithmetic = kind == CostClass::elementwise || kind == CostClass::movement || kind == CostClass::take ||
                          kind == CostClass::view || kind == CostClass::reduction;
  if (arithmetic && all_host && any_host) {
    bool small = true;
    for (const ValueId out : node.outputs) {
      if (out == ValueId::none) continue;
      const auto& type = types_.of(out);
      const auto count = type.elements();
      // A shape of unknown length is still small; what Range, Expand and the like make of one need not be.
      const bool grows = node.op == "Range" || node.op == "ConstantOfShape" || node.op == "Expand" || node.op == "Tile";
      small = small && (count ? *count <= host_elements : !grows && type.rank() <= 1 && !is_float(type.dtype));
    }
    if (small) return NodeRole::host;
  }
  return kind == CostClass::view ? NodeRole::view : NodeRole::kernel;
}

void Structure::count_times(FactTable& table) {
  const auto scopes = model_.scopes();
  trips_.assign(scopes.size(), 1);
  times_.assign(scopes.size(), -1);

  // A Loop runs M times when nothing in its body can end it earlier: the condition is passed on or constant true.
  const auto goes_on = [&](const Scope& body, ValueId given) {
    if (body.outputs.empty()) return false;
    ValueId at = body.outputs[0];
    while (at != ValueId::none && model_.value(at).producer != NodeId::none) {
      const Node& node = model_.node(model_.value(at).producer);
      if (node.op != "Identity" && node.op != "Cast") break;
      if (node.inputs.empty()) return false;
      at = node.inputs[0];
    }
    if (at == ValueId::none) return false;
    const auto initial = given == ValueId::none ? std::optional(1.0) : scalar(table, given);
    if (body.inputs.size() > 1 && at == body.inputs[1]) return initial.value_or(0) != 0;
    const auto value = scalar(table, at);
    return value.value_or(0) != 0 && initial.value_or(0) != 0;
  };
  for (const auto& scope : scopes) {
    if (scope.owner == NodeId::none) continue;
    const Node& owner = model_.node(scope.owner);
    double& trips = trips_[index(scope.id)];
    if (owner.op == "Loop") {
      const auto given = owner.inputs.size() > 1 ? owner.inputs[1] : ValueId::none;
      const auto count = owner.inputs.empty() ? std::nullopt : known_integers(table, owner.inputs[0]);
      trips = count && count->size() == 1 && goes_on(scope, given) ? static_cast<double>((*count)[0]) : unknown;
    } else if (owner.op == "Scan") {
      const auto scanned = attribute(owner, "num_scan_inputs", std::int64_t{0});
      const auto axes = attribute_ints(owner, "scan_input_axes");
      const auto total = static_cast<std::int64_t>(owner.inputs.size());
      trips = unknown;
      if (scanned >= 1 && scanned <= total && model_.opset() >= 9) {
        const auto& type = types_.of(owner.inputs[static_cast<std::size_t>(total - scanned)]);
        std::int64_t axis = axes && !axes->empty() ? (*axes)[0] : 0;
        if (axis < 0) axis += type.rank();
        if (type.ranked() && axis >= 0 && axis < type.rank())
          if (const auto extent = (*type.dims)[static_cast<std::size_t>(axis)].value())
            trips = static_cast<double>(*extent);
      }
    } else if (owner.op != "If") {
      trips = unknown;  // a body of an operator that is not known here
    }
  }

  // Functions run once for each call; calls may nest, a ring of calls is not a model.
  std::vector<std::vector<ScopeId>> callers(scopes.size());
  for (const auto& node : model_.nodes())
    if (node.alive && node.function != ScopeId::none) callers[index(node.function)].push_back(node.scope);
  const auto count = [&](const auto& self, ScopeId id, int depth) -> double {
    double& times = times_[index(id)];
    if (times >= 0 || std::isnan(times)) return times;
    if (depth > 64) return unknown;
    const Scope& scope = model_.scope(id);
    double sum = 0;
    if (scope.kind == ScopeKind::main_graph) {
      sum = 1;
    } else if (scope.kind == ScopeKind::subgraph) {
      sum = self(self, model_.node(scope.owner).scope, depth + 1) * trips_[index(id)];
    } else {
      for (const ScopeId caller : callers[index(id)]) sum += self(self, caller, depth + 1);
    }
    return times = sum;
  };
  for (const auto& scope : scopes) (void)count(count, scope.id, 0);
}

}  // namespace aegis
