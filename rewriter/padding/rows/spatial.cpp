// Pools, Resize and the spatial Pad: batch and channels pass, the axes that windows run over may not be padded.
#include <cmath>

#include "model/attribute.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

bool used(const ClassGraph& graph, const Node& node, std::size_t output) {
  if (output >= node.outputs.size() || node.outputs[output] == ValueId::none) return false;
  const Value& value = graph.model().value(node.outputs[output]);
  return value.output || !value.uses.empty();
}

void connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const int rank = graph.output_rank(node, 0);
  if (rank < 2 || graph.input_rank(node, 0) != rank) return graph.block_all(node, "unknown_dim", "a rank is not known");
  for (int axis = 0; axis < rank; ++axis) {
    const Point in = graph.input(node, 0, axis), out = graph.output(node, 0, axis);
    if (axis < 2 && graph.extent(in) == graph.extent(out)) {
      graph.join(in, out, node);
    } else {
      graph.block(in, node.id, "lane_mixing", "a window runs over this axis");
      graph.block(out, node.id, "lane_mixing", "a window runs over this axis");
    }
  }
  for (int axis = 0; axis < graph.output_rank(node, 1) && axis < 2; ++axis) {
    graph.join(graph.output(node, 0, axis), graph.output(node, 1, axis), node);
  }
  if (node.op == "MaxPool" && used(graph, node, 1)) {
    graph.block(graph.output(node, 0, 0), node.id, "lane_mixing", "Indices count the channels");
    graph.block(graph.output(node, 0, 1), node.id, "lane_mixing", "Indices count the channels");
  }
}

void lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  const bool keeps = node.op == "MaxPool" || node.op == "GlobalMaxPool";
  for (int axis = 0; axis < 2; ++axis) {
    if (!trial.padded(graph.output(node, 0, axis))) continue;
    Lane lane = trial.lane(node, 0, axis);
    if (lane.zero()) {
      lane = Lane::of(trial.output_type(node, 0), 0);
    } else if (!keeps && lane.finite()) {
      lane = lane.constant() && std::abs(lane.number()) > 1e4 ? Lane::nonfinite() : Lane::data();
    }
    trial.set(node, 0, axis, lane);
    if (node.outputs.size() > 1 && node.outputs[1] != ValueId::none) trial.set(node, 1, axis, Lane::data());
  }
}

// Resize may name the channel extent in its input `sizes`.
void edit(Editor& editor, const Node& node) {
  if (node.op != "Resize" || node.inputs.size() < 4 || node.inputs[3] == ValueId::none) return;
  const ClassGraph& graph = editor.graph();
  const int rank = graph.output_rank(node, 0);
  std::vector<std::int64_t> axes = attribute_ints(node, "axes").value_or(std::vector<std::int64_t>{});
  if (axes.empty()) {
    for (int axis = 0; axis < rank; ++axis) axes.push_back(axis);
  }
  std::optional<std::vector<std::int64_t>> sizes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Point point = graph.output(node, 0, normal_axis(axes[i], rank));
    if (!editor.padded(point)) continue;
    if (!sizes) sizes = known_integers(graph, node, 3);
    if (!sizes || sizes->size() != axes.size())
      return editor.fail(node, "shape_read", "the sizes of a Resize are computed");
    (*sizes)[i] = editor.extent(point);
  }
  if (sizes) editor.integers(node, 3, *sizes);
}

// ---- Pad: axes without pads pass.

struct Pads {
  bool known = false;
  std::vector<bool> touched;  // by axis
};

Pads pads_of(const ClassGraph& graph, const Node& node, int rank) {
  const Integers pads = attribute_or_input(graph, node, has_attribute(node, "paddings") ? "paddings" : "pads", 1);
  std::optional<std::vector<std::int64_t>> axes;
  if (node.inputs.size() > 3 && node.inputs[3] != ValueId::none) {
    axes = known_integers(graph, node, 3);
    if (!axes) return {};
  } else {
    axes.emplace();
    for (int axis = 0; axis < rank; ++axis) axes->push_back(axis);
  }
  if (!pads.values || pads.values->size() != 2 * axes->size()) return {};
  Pads out{.known = true, .touched = std::vector<bool>(static_cast<std::size_t>(rank), false)};
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const int axis = normal_axis((*axes)[i], rank);
    if (axis < 0) return {};
    if ((*pads.values)[i] != 0 || (*pads.values)[i + axes->size()] != 0)
      out.touched[static_cast<std::size_t>(axis)] = true;
  }
  return out;
}

void pad_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const int rank = graph.output_rank(node, 0);
  if (rank < 0 || graph.input_rank(node, 0) != rank) return graph.block_all(node, "unknown_dim", "a rank is not known");
  const Pads pads = pads_of(graph, node, rank);
  if (!pads.known) return graph.block_all(node, "shape_read", "the pads are not known");
  for (int axis = 0; axis < rank; ++axis) {
    const Point in = graph.input(node, 0, axis), out = graph.output(node, 0, axis);
    if (!pads.touched[static_cast<std::size_t>(axis)]) {
      graph.join(in, out, node);
    } else {
      graph.block(in, node.id, "lane_mixing", "the graph itself pads this axis");
      graph.block(out, node.id, "lane_mixing", "the graph itself pads this axis");
    }
  }
}

void pad_lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  Lane border = Lane::of(trial.output_type(node, 0), static_cast<double>(attribute(node, "value", 0.0f)));
  if (attribute(node, "mode", "constant") == "constant" && node.inputs.size() > 2 && node.inputs[2] != ValueId::none) {
    const std::optional<Tensor> value = trial.scalar(node, 2);
    border = value ? Lane::computed(*value) : Lane::data();
  }
  const bool constant = attribute(node, "mode", "constant") == "constant";
  for (int axis = 0; axis < graph.output_rank(node, 0); ++axis) {
    if (!trial.padded(graph.output(node, 0, axis))) continue;
    const Lane lane = trial.lane(node, 0, axis);
    trial.set(node, 0, axis, constant ? either(lane, border) : lane);
  }
}

}  // namespace

const Row rows::spatial = {.connect = connect, .lanes = lanes, .edit = edit};
const Row rows::pad = {.connect = pad_connect, .lanes = pad_lanes, .edit = nullptr};

}  // namespace aegis::padding
