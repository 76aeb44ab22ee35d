// MatMul and Gemm. A contraction over padding lanes adds nothing when one side is zero there and the other is finite;
// the padding columns of the result are what the bias brings.
#include "model/attribute.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

// Axes of one operand: the contracted one, the free one (-1 for a vector).
struct Side {
  int contracted = -1, free = -1;
};

void contract(Trial& trial, const Node& node, int a_axis, int b_axis) {
  if (!trial.padded(trial.graph().input(node, 0, a_axis))) return;
  trial.fill(node, 0, 0);
  trial.fill(node, 1, 0);
  const Lane a = trial.lane(node, 0, a_axis), b = trial.lane(node, 1, b_axis);
  if (!a.finite() || !b.finite()) {
    trial.refuse(node, "nonfinite_lane", "padding lanes that may not be finite are multiplied");
  } else if (!a.zero() && !b.zero()) {
    trial.refuse(node, "both_dynamic", "neither side of the product is zero in the padding lanes");
  }
}

// A free or batch axis of the result: zero when the operand that has it is zero there.
Lane product(Trial& trial, const Node& node, std::size_t slot, int axis) {
  trial.fill(node, slot, 0);
  const Lane lane = trial.lane(node, slot, axis);
  return lane.zero() ? Lane::of(trial.output_type(node, 0), 0) : Lane::nonfinite();
}

// ---- MatMul: [batch..., M, K] x [batch..., K, N]; either side may be a vector.

Side left_side(int rank) { return rank == 1 ? Side{0, -1} : Side{rank - 1, rank - 2}; }
Side right_side(int rank) { return rank == 1 ? Side{0, -1} : Side{rank - 2, rank - 1}; }

// Calls use(slot, axis of the operand, axis of the result) for every free and batch axis.
template <class Use>
void matmul_axes(const ClassGraph& graph, const Node& node, Use use) {
  const int a = graph.input_rank(node, 0), b = graph.input_rank(node, 1), y = graph.output_rank(node, 0);
  const int tail = (a > 1 ? 1 : 0) + (b > 1 ? 1 : 0);
  if (a > 1) use(0, a - 2, y - tail);
  if (b > 1) use(1, b - 1, y - 1);
  for (const auto& [slot, rank] : {std::pair{0, a}, std::pair{1, b}}) {
    for (int axis = 0; axis < rank - 2; ++axis) use(slot, axis, y - tail - (rank - 2) + axis);
  }
}

void matmul_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const int a = graph.input_rank(node, 0), b = graph.input_rank(node, 1);
  if (a < 1 || b < 1 || graph.output_rank(node, 0) < 0)
    return graph.block_all(node, "unknown_dim", "a rank is not known");
  graph.join(graph.input(node, 0, left_side(a).contracted), graph.input(node, 1, right_side(b).contracted), node);
  matmul_axes(graph, node, [&](int slot, int axis, int result) {
    const Point from = graph.input(node, static_cast<std::size_t>(slot), axis);
    const bool batch = axis < graph.input_rank(node, static_cast<std::size_t>(slot)) - 2;
    if (!batch || graph.extent(from) != 1) graph.join(from, graph.output(node, 0, result), node);
  });
}

void matmul_lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  contract(trial, node, left_side(graph.input_rank(node, 0)).contracted,
           right_side(graph.input_rank(node, 1)).contracted);
  std::map<int, std::vector<Lane>> found;
  matmul_axes(graph, node, [&](int slot, int axis, int result) {
    if (!trial.padded(graph.input(node, static_cast<std::size_t>(slot), axis))) return;
    found[result].push_back(product(trial, node, static_cast<std::size_t>(slot), axis));
  });
  for (const auto& [axis, lanes] : found) {
    Lane lane = Lane::nonfinite();
    for (const Lane& one : lanes) {
      if (one.finite()) lane = one;
    }
    trial.set(node, 0, axis, lane);
  }
}

// ---- Gemm: alpha * A' * B' + beta * C.

struct GemmAxes {
  int m, k_a, k_b, n;
};

GemmAxes gemm_axes(const Node& node) {
  const bool a = attribute(node, "transA", std::int64_t{0}) != 0, b = attribute(node, "transB", std::int64_t{0}) != 0;
  return {.m = a ? 1 : 0, .k_a = a ? 0 : 1, .k_b = b ? 1 : 0, .n = b ? 0 : 1};
}

void gemm_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const GemmAxes axes = gemm_axes(node);
  if (graph.input_rank(node, 0) != 2 || graph.input_rank(node, 1) != 2 || graph.output_rank(node, 0) != 2) {
    return graph.block_all(node, "unknown_dim", "a rank is not known");
  }
  graph.join(graph.input(node, 0, axes.k_a), graph.input(node, 1, axes.k_b), node);
  graph.join(graph.input(node, 0, axes.m), graph.output(node, 0, 0), node);
  graph.join(graph.input(node, 1, axes.n), graph.output(node, 0, 1), node);
  if (node.inputs.size() < 3 || node.inputs[2] == ValueId::none) return;
  const int rank = graph.input_rank(node, 2);
  if (rank < 0 || rank > 2) return graph.block_all(node, "unknown_dim", "the rank of the bias is not known");
  for (int axis = 0; axis < rank; ++axis) {
    const Point bias = graph.input(node, 2, axis);
    if (graph.extent(bias) != 1) graph.join(bias, graph.output(node, 0, 2 - rank + axis), node);
  }
}

// The lane of a result axis on which A or B is zero: the operator on one-element tensors.
Lane gemm_lane(Trial& trial, const Node& node, int axis) {
  const ClassGraph& graph = trial.graph();
  const DType type = trial.output_type(node, 0);
  Tensor zero = Tensor::zeros(type, {1, 1});
  std::optional<Tensor> bias;
  bool data = false, masked = false;
  if (node.inputs.size() > 2 && node.inputs[2] != ValueId::none) {
    const int own = axis - (2 - graph.input_rank(node, 2));
    if (own >= 0 && trial.padded(graph.input(node, 2, own))) {
      trial.fill_bias(node, 2);
      const Lane lane = trial.lane(node, 2, own);
      if (!lane.finite()) return lane;
      data = !lane.constant();
      masked = lane.masked || !graph.constant(node, 2) || graph.input_rank(node, 2) == 2;
      if (lane.constant()) bias = lane.value;
    } else if (std::optional<Tensor> scalar = trial.scalar(node, 2)) {
      bias = *std::move(scalar);
    } else if (graph.constant(node, 2)) {
      return Lane::nonfinite();
    } else {
      data = masked = true;
    }
  }
  Lane lane = Lane::data();
  if (!data) {
    if (bias) bias->dims = {1, 1};
    const Tensor* inputs[] = {&zero, &zero, bias ? &*bias : nullptr};
    lane = trial.evaluate(node, std::span(inputs, node.inputs.size()));
  }
  lane.masked = masked;
  return lane;
}

void gemm_lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  const GemmAxes axes = gemm_axes(node);
  contract(trial, node, axes.k_a, axes.k_b);
  for (const auto& [slot, axis, result] : {std::tuple{0, axes.m, 0}, std::tuple{1, axes.n, 1}}) {
    const auto operand = static_cast<std::size_t>(slot);
    if (!trial.padded(graph.input(node, operand, axis))) continue;
    const Lane factor = product(trial, node, operand, axis);
    trial.set(node, 0, result, factor.finite() ? gemm_lane(trial, node, result) : factor);
  }
}

}  // namespace

const Row rows::matmul = {.connect = matmul_connect, .lanes = matmul_lanes, .edit = nullptr};
const Row rows::gemm = {.connect = gemm_connect, .lanes = gemm_lanes, .edit = nullptr};

}  // namespace aegis::padding
