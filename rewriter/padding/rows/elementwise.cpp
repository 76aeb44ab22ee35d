// Operators that work lane by lane with broadcasting. The constant in the padding lanes is what the operator itself
// makes of the constants that come in; where real data meets it by broadcasting, only operators that keep finite
// numbers finite may pass it on.
#include <algorithm>
#include <array>
#include <cmath>

#include "model/attribute.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

// The inputs whose shape takes part: CastLike reads only the type of its second input.
std::size_t shaped_inputs(const Node& node) { return node.op == "CastLike" ? 1 : node.inputs.size(); }

bool random(const ClassGraph& graph, const Node& node) {
  if (node.op != "Dropout" || node.inputs.size() < 3 || node.inputs[2] == ValueId::none) return false;
  const std::optional<std::vector<std::int64_t>> training = known_integers(graph, node, 2);
  return !training || training->size() != 1 || (*training)[0] != 0;
}

void connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  if (random(graph, node)) return graph.block_all(node, "unknown_op", "random numbers would fall on other lanes");
  const int rank = graph.output_rank(node, 0);
  if (rank < 0) return graph.block_all(node, "unknown_dim", "the rank of the output is not known");
  for (std::size_t out = 1; out < node.outputs.size(); ++out) {
    if (node.outputs[out] == ValueId::none) continue;
    for (int axis = 0; axis < rank; ++axis)
      graph.join(graph.output(node, 0, axis), graph.output(node, out, axis), node);
  }
  for (std::size_t in = 0; in < shaped_inputs(node); ++in) {
    if (node.inputs[in] == ValueId::none) continue;
    const int own = graph.input_rank(node, in);
    if (own < 0 || own > rank) return graph.block_all(node, "unknown_dim", "the rank of an input is not known");
    for (int axis = 0; axis < own; ++axis) {
      const Point from = graph.input(node, in, axis);
      if (graph.extent(from) != 1) graph.join(from, graph.output(node, 0, rank - own + axis), node);
    }
  }
}

constexpr std::array<std::string_view, 41> keeps_finite = {
    "Abs",         "Add",       "And",      "Atan",  "Cast",  "CastLike",  "Ceil",    "Clip",
    "Cos",         "Dropout",   "Equal",    "Erf",   "Floor", "Gelu",      "Greater", "GreaterOrEqual",
    "HardSigmoid", "HardSwish", "Identity", "IsInf", "IsNaN", "LeakyRelu", "Less",    "LessOrEqual",
    "Max",         "Mean",      "Min",      "Mul",   "Neg",   "Not",       "Or",      "PRelu",
    "Relu",        "Round",     "Sigmoid",  "Sign",  "Sin",   "Sub",       "Sum",     "Tanh",
    "Where"};

bool integer_division(const Trial& trial, const Node& node) {
  return (node.op == "Div" || node.op == "Mod") && !is_float(trial.type_of(node, 1));
}

// What a constant operand takes in the new lanes.
void choose_fill(Trial& trial, const Node& node, std::size_t slot) {
  if ((node.op == "Div" || node.op == "Mod") && slot == 1) return trial.fill(node, slot, 1);
  if (node.op == "Pow") return trial.fill(node, slot, 1);
  if (node.op == "Add" || (node.op == "Sub" && slot == 0)) return trial.fill_bias(node, slot);
  trial.fill(node, slot, 0);
}

// A constant that differs along other axes than this one may be a mask.
bool varies_elsewhere(const ClassGraph& graph, const Node& node, std::size_t slot, int axis) {
  for (int other = 0; other < graph.input_rank(node, slot); ++other) {
    if (other != axis && graph.extent(graph.input(node, slot, other)) != 1) return true;
  }
  return false;
}

// Real numbers that a constant brings into the padding lanes; large ones are not read.
Lane broadcast_constant(const Trial& trial, const Node& node, std::size_t slot) {
  const TensorSource& source = *trial.model().constant(node.inputs[slot]);
  if (source.raw_size() > 64u << 10) return Lane::nonfinite();
  const Result<Tensor> tensor = source.read();
  if (!tensor) return Lane::nonfinite();
  const Result<std::vector<double>> numbers = to_doubles(*tensor);
  if (!numbers) return Lane::nonfinite();
  const bool moderate = std::all_of(numbers->begin(), numbers->end(), [](double x) { return std::abs(x) <= 1e4; });
  return moderate ? Lane::data() : Lane::nonfinite();
}

Lane combine(Trial& trial, const Node& node, int axis, int rank) {
  const ClassGraph& graph = trial.graph();
  std::vector<std::optional<Lane>> lanes(node.inputs.size());
  std::vector<std::optional<Tensor>> tensors(node.inputs.size());
  std::size_t wide = 0;
  bool masked = node.op == "Where", zero = false, data = false, finite = true, moderate = true;
  for (std::size_t in = 0; in < node.inputs.size(); ++in) {
    if (node.inputs[in] == ValueId::none) continue;
    if (in >= shaped_inputs(node)) {
      tensors[in] = Tensor::zeros(trial.type_of(node, in), {1});
      continue;
    }
    const int own_axis = axis - (rank - graph.input_rank(node, in));
    if (own_axis >= 0 && trial.padded(graph.input(node, in, own_axis))) {
      choose_fill(trial, node, in);
      lanes[in] = trial.lane(node, in, own_axis);
      const bool bias = graph.constant(node, in) && !varies_elsewhere(graph, node, in, own_axis);
      if (!bias) ++wide;
      masked = masked || lanes[in]->masked;
      if (lanes[in]->constant()) tensors[in] = lanes[in]->value;
    } else if (std::optional<Tensor> scalar = trial.scalar(node, in)) {
      if (scalar->dims.size() > 1) scalar->dims = {1};
      const Lane number = Lane::computed(*scalar);
      moderate = moderate && number.finite() && std::abs(number.number()) <= 1e4;
      tensors[in] = *std::move(scalar);
      continue;
    } else {
      lanes[in] = graph.constant(node, in) ? broadcast_constant(trial, node, in) : Lane::data();
      ++wide;
    }
    finite = finite && lanes[in]->finite();
    data = data || !lanes[in]->constant();
    zero = zero || lanes[in]->zero();
    moderate = moderate && (!lanes[in]->constant() || std::abs(lanes[in]->number()) <= 1e4);
  }
  Lane out = Lane::nonfinite();
  if (finite && !data) {
    if (integer_division(trial, node) && tensors[1] && Lane::computed(*tensors[1]).zero()) return Lane::nonfinite();
    std::vector<const Tensor*> inputs;
    for (const std::optional<Tensor>& tensor : tensors) inputs.push_back(tensor ? &*tensor : nullptr);
    out = trial.evaluate(node, inputs);
  } else if (finite && moderate && node.op == "Mul" && zero) {
    out = Lane::of(trial.output_type(node, 0), 0);
  } else if (finite && moderate && std::binary_search(keeps_finite.begin(), keeps_finite.end(), node.op)) {
    out = Lane::data();
  }
  out.masked = masked || wide > 1;
  return out;
}

void lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  const int rank = graph.output_rank(node, 0);
  for (int axis = 0; axis < rank; ++axis) {
    if (!trial.padded(graph.output(node, 0, axis))) continue;
    const Lane out = combine(trial, node, axis, rank);
    trial.set(node, 0, axis, out);
    for (std::size_t other = 1; other < node.outputs.size(); ++other) {
      if (node.outputs[other] != ValueId::none) trial.set(node, other, axis, Lane::data());
    }
  }
}

}  // namespace

const Row rows::elementwise = {.connect = connect, .lanes = lanes, .edit = nullptr};

}  // namespace aegis::padding
