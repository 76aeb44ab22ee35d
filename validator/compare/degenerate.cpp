#include "validator/compare/degenerate.hpp"

#include <set>
#include <vector>

#include "model/attribute.hpp"

namespace aegis {
namespace {

bool one_of(std::string_view op, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (op == name) return true;
  return false;
}

std::optional<double> scalar(const Model& model, const Node& node, std::size_t slot) {
  if (slot >= node.inputs.size() || node.inputs[slot] == ValueId::none) return std::nullopt;
  const TensorSource* source = model.constant(node.inputs[slot]);
  if (!source || source->elements() != 1) return std::nullopt;
  const auto tensor = source->read();
  if (!tensor) return std::nullopt;
  const auto values = to_doubles(*tensor);
  return values ? std::optional(values->front()) : std::nullopt;
}

std::optional<double> range_of(const Model& model, const Node& node) {
  if (one_of(node.op, {"Sigmoid", "Softmax", "HardSigmoid"})) return 1.0;
  if (one_of(node.op, {"Tanh", "Softsign"})) return 2.0;
  if (node.op != "Clip") return std::nullopt;
  if (has_attribute(node, "min") && has_attribute(node, "max"))  // before opset 11
    return static_cast<double>(attribute(node, "max", 0.0f)) - static_cast<double>(attribute(node, "min", 0.0f));
  const auto low = scalar(model, node, 1), high = scalar(model, node, 2);
  return low && high ? std::optional(*high - *low) : std::nullopt;
}

}  // namespace

std::optional<FinalActivation> final_activation(const Model& model, ValueId value) {
  for (int step = 0; step < 32 && value != ValueId::none; ++step) {
    const NodeId producer = model.value(value).producer;
    if (producer == NodeId::none) return std::nullopt;
    const Node& node = model.node(producer);
    if (!node.domain.empty() || node.inputs.empty()) return std::nullopt;
    if (one_of(node.op, {"Sigmoid", "Softmax", "LogSoftmax", "HardSigmoid", "Tanh", "Softsign", "Clip", "Relu"}))
      return FinalActivation{.node = producer, .operand = node.inputs[0], .range = range_of(model, node)};
    if (!one_of(node.op, {"Cast", "Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose"}))
      return std::nullopt;
    value = node.inputs[0];
  }
  return std::nullopt;
}

bool depends_on_inputs(const Model& model, ValueId value) {
  std::vector<ValueId> pending = {value};
  std::set<ValueId> seen;
  std::set<ScopeId> bodies;
  while (!pending.empty()) {
    const ValueId id = pending.back();
    pending.pop_back();
    if (id == ValueId::none || !seen.insert(id).second) continue;
    const Value& v = model.value(id);
    if (v.scope == ScopeId::main && v.input && !v.initializer) return true;
    if (v.producer == NodeId::none) continue;
    const Node& node = model.node(v.producer);
    pending.insert(pending.end(), node.inputs.begin(), node.inputs.end());
    for (const ScopeId body : node.bodies) {
      if (!bodies.insert(body).second) continue;
      const Scope& scope = model.scope(body);
      pending.insert(pending.end(), scope.outputs.begin(), scope.outputs.end());
    }
  }
  return false;
}

std::optional<std::string> degenerate_reason(const Metrics& m, bool failed, const std::optional<FinalActivation>& last,
                                             const Metrics* operand) {
  if (!m.numeric || m.elements == 0) return std::nullopt;
  if (m.reference_nonfinite == m.elements) return "reference not finite";
  const double range = m.high - m.low;
  if (m.elements > 1 && range == 0) return "constant";
  if (!last) return std::nullopt;
  const double operand_range = operand ? operand->high - operand->low : 0;
  if (operand && range < 1e-4 * operand_range) return "saturated";
  const double scale = last->range.value_or(operand_range);
  if (failed && m.new_nonfinite == 0 && scale > 0 && m.max_abs <= 1e-6 * scale) return "error below resolution";
  return std::nullopt;
}

}  // namespace aegis
