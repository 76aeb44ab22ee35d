// LSTM, GRU and RNN. Weights stack one block of H rows a gate, so H is padded inside every block; padding rows of W, R
// and B are zero, and with them the padding lanes of all states, as long as the activations leave zero alone.
#include <algorithm>
#include <array>

#include "model/attribute.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

struct Shape {
  std::int64_t gates = 1;
  std::size_t initial_c = 0, peephole = 0;  // input slots; 0: none
};

Shape shape_of(const Node& node) {
  if (node.op == "LSTM") return {.gates = 4, .initial_c = 6, .peephole = 7};
  return {.gates = node.op == "GRU" ? 3 : 1};
}

bool there(const Node& node, std::size_t slot) {
  return slot < node.inputs.size() && node.inputs[slot] != ValueId::none;
}

// Axis `axis` of an input is `count` blocks of H.
void stack(ClassGraph& graph, const Node& node, std::size_t slot, int axis, std::int64_t count, Point hidden) {
  if (!there(node, slot)) return;
  const Point whole = graph.input(node, slot, axis);
  if (count == 1) return graph.join(whole, hidden, node);
  const Point blocks = graph.make_virtual(count);
  graph.block(blocks, node.id, "", "");
  graph.derive({Derived::Kind::product, whole, {blocks, hidden}, node.id});
}

void connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const Shape shape = shape_of(node);
  const bool plain = attribute(node, "layout", std::int64_t{0}) == 0 && graph.input_rank(node, 0) == 3 &&
                     graph.input_rank(node, 1) == 3 && graph.input_rank(node, 2) == 3 && graph.constant(node, 1) &&
                     graph.constant(node, 2);
  if (!plain) return graph.block_all(node, "unknown_op", "weights are computed, or the layout is not the common one");
  const Point hidden = graph.input(node, 2, 2);
  graph.join(graph.input(node, 0, 2), graph.input(node, 1, 2), node);
  stack(graph, node, 1, 1, shape.gates, hidden);
  stack(graph, node, 2, 1, shape.gates, hidden);
  stack(graph, node, 3, 1, 2 * shape.gates, hidden);
  if (shape.peephole > 0) stack(graph, node, shape.peephole, 1, 3, hidden);
  for (const std::size_t slot : {std::size_t{5}, shape.initial_c}) {
    if (slot > 0 && there(node, slot)) graph.join(graph.input(node, slot, 2), hidden, node);
  }
  for (std::size_t out = 0; out < node.outputs.size(); ++out) {
    const int rank = graph.output_rank(node, out);
    if (rank < 0) continue;
    graph.join(graph.output(node, out, rank - 1), hidden, node);
    for (int axis = 0; axis + 1 < rank; ++axis)
      graph.block(graph.output(node, out, axis), node.id, "lane_mixing", "time, directions and batch stay");
  }
  for (int axis = 0; axis < 2; ++axis)
    graph.block(graph.input(node, 0, axis), node.id, "lane_mixing", "time and batch stay");
}

// Activations that make 0 of 0.
bool keeps_zero(std::string_view activation) {
  constexpr std::array<std::string_view, 7> keep = {"Elu",      "LeakyRelu", "Relu",           "ScaledTanh",
                                                    "Softsign", "Tanh",      "ThresholdedRelu"};
  return std::find(keep.begin(), keep.end(), activation) != keep.end();
}

// The activations of one direction that make the state, not the gates.
bool state_stays_zero(const Node& node) {
  const std::optional<std::vector<std::string>> given = attribute_strings(node, "activations");
  if (!given || given->empty()) return true;
  const std::size_t each = node.op == "LSTM" ? 3 : node.op == "GRU" ? 2 : 1;
  for (std::size_t i = 0; i < given->size(); ++i) {
    const bool gate = each > 1 && i % each == 0;
    if (!gate && !keeps_zero((*given)[i])) return false;
  }
  return true;
}

void lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  const Shape shape = shape_of(node);
  for (std::size_t slot = 1; slot < node.inputs.size(); ++slot) trial.fill(node, slot, 0);
  if (trial.padded(graph.input(node, 0, 2))) {
    if (!trial.lane(node, 0, 2).finite())
      return trial.refuse(node, "nonfinite_lane", "padding lanes that may not be finite are multiplied");
    (void)trial.lane(node, 1, 2);
  }
  if (!trial.padded(graph.input(node, 2, 2))) return;
  bool zero = true;
  for (const std::size_t slot : {std::size_t{5}, shape.initial_c}) {
    if (slot > 0 && there(node, slot)) zero = zero && trial.lane(node, slot, 2).zero();
  }
  if (!zero || !state_stays_zero(node))
    return trial.refuse(node, "nonfinite_lane", "the state of the padding lanes does not stay zero");
  for (std::size_t out = 0; out < node.outputs.size(); ++out) {
    const int rank = graph.output_rank(node, out);
    if (rank > 0) trial.set(node, out, rank - 1, Lane::of(trial.output_type(node, out), 0));
  }
}

void edit(Editor& editor, const Node& node) {
  const Point hidden = editor.graph().input(node, 2, 2);
  if (editor.padded(hidden)) editor.attribute(node, {"hidden_size", editor.extent(hidden)});
}

}  // namespace

const Row rows::recurrent = {.connect = connect, .lanes = lanes, .edit = edit};

}  // namespace aegis::padding
