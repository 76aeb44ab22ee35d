#include "rewriter/padding/trial.hpp"

#include <algorithm>
#include <cmath>

#include "ops/op.hpp"

namespace aegis::padding {

double lowest(DType type, DType compute) { return type == DType::f16 || compute == DType::f16 ? -65504.0 : -3e38; }

const LaneMap* Trial::map(Point point) const {
  const Point root = graph_->find(point);
  if (const auto found = changes_.maps.find(root); found != changes_.maps.end()) return &found->second;
  const auto found = base_->maps.find(root);
  return found == base_->maps.end() ? nullptr : &found->second;
}

DType Trial::type_of(const Node& node, std::size_t slot) const {
  if (slot >= node.inputs.size() || node.inputs[slot] == ValueId::none) return DType::undefined;
  if (const TensorSource* source = model().constant(node.inputs[slot])) return source->type;
  return graph_->types().of(node.inputs[slot]).dtype;
}

DType Trial::output_type(const Node& node, std::size_t slot) const {
  return graph_->types().of(node.outputs[slot]).dtype;
}

Lane Trial::lane(const Node& node, std::size_t slot, int axis) {
  if (graph_->constant(node, slot)) {
    const UseKey use{node.id, static_cast<std::uint32_t>(slot)};
    fill(node, slot, 0);
    const auto changed = changes_.fills.find(use);
    return Lane::of(type_of(node, slot), changed != changes_.fills.end() ? changed->second : base_->fills.at(use));
  }
  const Point point = graph_->input(node, slot, axis);
  if (const auto found = changes_.lanes.find(point); found != changes_.lanes.end()) return found->second;
  if (const auto found = base_->lanes.find(point); found != base_->lanes.end()) return found->second;
  refuse(node, "unknown_op", "nothing is known of the padding lanes that reach this node");
  return Lane::nonfinite();
}

void Trial::set(const Node& node, std::size_t output, int axis, Lane lane) {
  const Point point = graph_->output(node, output, axis);
  if (lane.constant() && (compute_ == DType::f16 && std::abs(lane.number()) > 65504.0)) lane = Lane::nonfinite();
  if (point != no_point) changes_.lanes[point] = std::move(lane);
}

void Trial::fill(const Node& node, std::size_t slot, double number) {
  if (!graph_->constant(node, slot)) return;
  const UseKey use{node.id, static_cast<std::uint32_t>(slot)};
  if (!base_->fills.contains(use)) changes_.fills.try_emplace(use, number);
}

void Trial::fill_bias(const Node& node, std::size_t slot) {
  if (!graph_->constant(node, slot)) return;
  const UseKey use{node.id, static_cast<std::uint32_t>(slot)};
  const DType type = type_of(node, slot);
  if (base_->fills.contains(use) || !is_float(type)) return fill(node, slot, 0);
  if (std::find(biases_.begin(), biases_.end(), use) == biases_.end()) biases_.push_back(use);
  const auto found = single_.find(use);
  switch (found != single_.end() ? found->second : bias_) {
    case BiasFill::zero: return fill(node, slot, 0);
    case BiasFill::one: return fill(node, slot, 1);
    case BiasFill::lowest: return fill(node, slot, lowest(type, compute_));
  }
}

void Trial::refuse(const Node& node, std::string_view word, std::string detail) {
  if (!refusal_) refusal_ = Reason{node.id, std::string(word), std::move(detail)};
}

Lane Trial::evaluate(const Node& node, std::span<const Tensor* const> inputs) {
  if (evaluator_ == nullptr) {
    refuse(node, "unknown_op", "no engine is there to say what the padding lanes become");
    return Lane::nonfinite();
  }
  Result<std::vector<Tensor>> outputs = evaluator_->evaluate(model(), node, inputs);
  if (!outputs || outputs->empty()) {
    refuse(node, "unknown_op",
           "the engine cannot say what the padding lanes become" +
               (outputs ? std::string() : ": " + outputs.error().message));
    return Lane::nonfinite();
  }
  Tensor first = (*outputs)[0];
  first.dims = {first.elements()};
  return Lane::computed(std::move(first));
}

std::optional<Tensor> Trial::scalar(const Node& node, std::size_t slot) const {
  if (slot >= node.inputs.size() || node.inputs[slot] == ValueId::none) return std::nullopt;
  return folded(node.inputs[slot], 8);
}

std::optional<Tensor> Trial::folded(ValueId value, int depth) const {
  if (const TensorSource* source = model().constant(value)) {
    if (source->elements() != 1) return std::nullopt;
    Result<Tensor> tensor = source->read();
    return tensor ? std::optional(*std::move(tensor)) : std::nullopt;
  }
  const TypeTable& types = graph_->types();
  const std::optional<std::vector<std::int64_t>> shape = types.of(value).shape();
  if (!types.of(value).tensor() || !shape || element_count(*shape) != 1) return std::nullopt;
  if (index(value) < types.has_known.size() && types.has_known[index(value)] && types.of(value).dtype == DType::i64) {
    return from_integers(*shape, types.known[index(value)]);
  }
  const NodeId producer = model().value(value).producer;
  if (producer == NodeId::none || evaluator_ == nullptr || depth == 0) return std::nullopt;
  const Node& node = model().node(producer);
  const Op* op = find_op(node.domain, node.op);
  if (op == nullptr || op->pad != PadRow::elementwise || node.outputs.size() != 1) return std::nullopt;
  std::vector<Tensor> tensors;
  for (const ValueId input : node.inputs) {
    if (input == ValueId::none) return std::nullopt;
    std::optional<Tensor> tensor = folded(input, depth - 1);
    if (!tensor) return std::nullopt;
    tensors.push_back(*std::move(tensor));
  }
  std::vector<const Tensor*> inputs;
  for (const Tensor& tensor : tensors) inputs.push_back(&tensor);
  Result<std::vector<Tensor>> outputs = evaluator_->evaluate(model(), node, inputs);
  if (!outputs || outputs->size() != 1 || (*outputs)[0].elements() != 1) return std::nullopt;
  return std::move((*outputs)[0]);
}

}  // namespace aegis::padding
