// QuantizeLinear, DequantizeLinear, DynamicQuantizeLinear and MatMulInteger. What stands for zero in a quantised tensor
// is its zero point, so that is what the padding lanes of quantised weights hold; the scale of a padded channel is 1.
#include <algorithm>

#include "model/attribute.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

bool absent(const Node& node, std::size_t slot) {
  return slot >= node.inputs.size() || node.inputs[slot] == ValueId::none;
}

// The zero point when it is one number for all channels: 0 when there is none. Nullopt: it differs or is computed.
std::optional<double> zero_point(const ClassGraph& graph, const Node& node, std::size_t slot) {
  if (absent(node, slot)) return 0.0;
  if (!graph.constant(node, slot)) return std::nullopt;
  const Result<Tensor> tensor = graph.model().constant(node.inputs[slot])->read();
  if (!tensor) return std::nullopt;
  const Result<std::vector<double>> numbers = to_doubles(*tensor);
  if (!numbers || numbers->empty()) return std::nullopt;
  const bool same = std::all_of(numbers->begin(), numbers->end(), [&](double x) { return x == numbers->front(); });
  return same ? std::optional(numbers->front()) : std::nullopt;
}

// Scale and zero point along one axis of the tensor join it there.
bool join_parameters(ClassGraph& graph, const Node& node, std::size_t tensor, std::size_t slot, int axis) {
  if (absent(node, slot)) return true;
  const int rank = graph.input_rank(node, slot);
  if (rank < 0 || rank > 1) return false;
  if (rank == 1 && graph.extent(graph.input(node, slot, 0)) != 1)
    graph.join(graph.input(node, slot, 0), graph.input(node, tensor, axis), node);
  return true;
}

// ---- QuantizeLinear, DequantizeLinear

int channel_axis(const ClassGraph& graph, const Node& node) {
  return normal_axis(attribute(node, "axis", std::int64_t{1}), graph.input_rank(node, 0));
}

void linear_connect(ClassGraph& graph, const Node& node) {
  join_all(graph, node, 0, 0);
  const int axis = channel_axis(graph, node);
  const bool blocked = attribute(node, "block_size", std::int64_t{0}) != 0;
  if (blocked || !join_parameters(graph, node, 0, 1, axis) || !join_parameters(graph, node, 0, 2, axis)) {
    graph.block_all(node, "quantised_block", "scales stand for blocks of the tensor");
  }
}

void linear_lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  const std::optional<double> zero = zero_point(graph, node, 2);
  const bool to_float = node.op == "DequantizeLinear";
  for (int axis = 0; axis < graph.output_rank(node, 0); ++axis) {
    if (!trial.padded(graph.output(node, 0, axis))) continue;
    trial.fill(node, 1, 1);
    if (zero) trial.fill(node, 2, *zero);
    if (zero) trial.fill(node, 0, to_float ? *zero : 0);
    const Lane x = trial.lane(node, 0, axis);
    if (!zero && graph.constant(node, 0)) {
      trial.refuse(node, "lane_mixing", "zero points differ from channel to channel, so no one number stands for zero");
      return;
    }
    const std::optional<Tensor> scale = trial.scalar(node, 1);
    const std::optional<Tensor> point = absent(node, 2) ? std::nullopt : trial.scalar(node, 2);
    const double nothing = to_float ? zero.value_or(0) : 0;
    if (zero && x.constant() && x.number() == nothing) {
      trial.set(node, 0, axis, Lane::of(trial.output_type(node, 0), to_float ? 0 : *zero));
    } else if (x.constant() && scale && (point || absent(node, 2))) {
      Tensor one_scale = *scale, one_point = point.value_or(Tensor{});
      one_scale.dims = {};
      one_point.dims = {};
      const Tensor* inputs[] = {&x.value, &one_scale, point ? &one_point : nullptr};
      trial.set(node, 0, axis, trial.evaluate(node, std::span(inputs, node.inputs.size())));
    } else {
      trial.set(node, 0, axis, x.finite() ? Lane::data() : x);
    }
  }
}

// ---- DynamicQuantizeLinear: its range always holds 0, so zero lanes do not move it.

void dynamic_connect(ClassGraph& graph, const Node& node) { join_all(graph, node, 0, 0); }

void dynamic_lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  for (int axis = 0; axis < graph.output_rank(node, 0); ++axis) {
    if (!trial.padded(graph.output(node, 0, axis))) continue;
    if (!trial.lane(node, 0, axis).zero())
      return trial.refuse(node, "lane_mixing", "the padding lanes would take part in the range");
    trial.set(node, 0, axis, Lane::data());
  }
}

void connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  if (node.op == "DynamicQuantizeLinear") return dynamic_connect(graph, node);
  linear_connect(graph, node);
}

void lanes(Trial& trial, const Node& node) {
  if (node.op == "DynamicQuantizeLinear") return dynamic_lanes(trial, node);
  linear_lanes(trial, node);
}

// ---- MatMulInteger(A, B, a_zero_point, b_zero_point): B's rows and columns are padded with its zero point.

void integer_connect(ClassGraph& graph, const Node& node, const PaddingOptions& options) {
  rows::matmul.connect(graph, node, options);
  const int b = graph.input_rank(node, 1), y = graph.output_rank(node, 0);
  if (absent(node, 3) || b < 2 || y < 1) return;
  if (!join_parameters(graph, node, 1, 3, b - 1))
    graph.block_all(node, "quantised_block", "zero points stand for blocks of the tensor");
}

void integer_lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  const int a = graph.input_rank(node, 0), b = graph.input_rank(node, 1), y = graph.output_rank(node, 0);
  const std::optional<double> zero = zero_point(graph, node, 3);
  const bool k = trial.padded(graph.input(node, 0, a - 1)), n = b > 1 && trial.padded(graph.input(node, 1, b - 1));
  if ((k || n) && (!zero || !graph.constant(node, 1))) {
    return trial.refuse(node, "lane_mixing",
                        "the right operand and its zero point are not one stored number and a weight");
  }
  if (k || n) {
    trial.fill(node, 1, *zero);
    trial.fill(node, 3, *zero);
    const Lane w = trial.lane(node, 1, k ? (b > 1 ? b - 2 : 0) : b - 1);
    if (!w.constant() || w.number() != *zero)
      return trial.refuse(node, "lane_mixing", "the weight is padded with another number for another reader");
  }
  if (n) trial.set(node, 0, y - 1, Lane::of(trial.output_type(node, 0), 0));
  for (int axis = 0; axis < y - (b > 1 ? 1 : 0); ++axis) {
    if (trial.padded(graph.output(node, 0, axis))) trial.set(node, 0, axis, Lane::data());
  }
}

}  // namespace

const Row rows::quantise = {.connect = connect, .lanes = lanes, .edit = nullptr};
const Row rows::matmul_integer = {.connect = integer_connect, .lanes = integer_lanes, .edit = nullptr};

}  // namespace aegis::padding
