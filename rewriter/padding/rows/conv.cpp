// Conv and ConvTranspose. Channels in meet the weight as K of a product does; channels out are rows of the weight. A
// depthwise Conv ties its channels, its weight and its `group` together; in other grouped Convs each group is a block.
#include "model/attribute.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

bool has_bias(const Node& node) { return node.inputs.size() > 2 && node.inputs[2] != ValueId::none; }

std::int64_t groups(const Node& node) { return attribute(node, "group", std::int64_t{1}); }

// Group extents 1 on both sides: C groups of one channel in, each with `C_out / C` channels out.
bool depthwise(const ClassGraph& graph, const Node& node) {
  return groups(node) > 1 && graph.extent(graph.input(node, 0, 1)) == groups(node) &&
         graph.extent(graph.input(node, 1, 1)) == 1;
}

void spatial_barriers(ClassGraph& graph, const Node& node) {
  const std::string why = "a window runs over this axis";
  for (int axis = 2; axis < graph.input_rank(node, 0); ++axis) {
    graph.block(graph.input(node, 0, axis), node.id, "lane_mixing", why);
    graph.block(graph.output(node, 0, axis), node.id, "lane_mixing", why);
    graph.block(graph.input(node, 1, axis), node.id, "lane_mixing", why);
  }
}

bool ranked(ClassGraph& graph, const Node& node) {
  const int rank = graph.input_rank(node, 0);
  if (rank >= 3 && graph.input_rank(node, 1) == rank && graph.output_rank(node, 0) == rank) return true;
  graph.block_all(node, "unknown_dim", "a rank is not known");
  return false;
}

void connect(ClassGraph& graph, const Node& node, const PaddingOptions& options) {
  if (!ranked(graph, node)) return;
  spatial_barriers(graph, node);
  const Point x = graph.input(node, 0, 1), y = graph.output(node, 0, 1);
  const Point w_out = graph.input(node, 1, 0), w_in = graph.input(node, 1, 1);
  graph.join(graph.input(node, 0, 0), graph.output(node, 0, 0), node);
  graph.join(w_out, y, node);
  if (has_bias(node)) graph.join(graph.input(node, 2, 0), y, node);
  const std::int64_t count = groups(node);
  if (count == 1) return graph.join(x, w_in, node);
  if (depthwise(graph, node)) {
    if (graph.extent(w_out) == count) return graph.join(x, w_out, node);
    const Point copies = graph.make_virtual(graph.extent(w_out) / count);
    graph.block(copies, node.id, "", "");
    return graph.derive({Derived::Kind::product, w_out, {x, copies}, node.id});
  }
  if (!options.grouped) {
    for (const Point point : {x, y, w_in})
      graph.block(point, node.id, "option_off", "a grouped Conv is padded only with the option `grouped`");
    return;
  }
  if (graph.extent(w_out) < 0 || graph.extent(w_out) % count != 0) {
    for (const Point point : {x, y, w_in})
      graph.block(point, node.id, "unknown_dim", "the size of a group is not known");
    return;
  }
  const Point group = graph.make_virtual(count), out = graph.make_virtual(graph.extent(w_out) / count);
  graph.block(group, node.id, "", "");
  graph.derive({Derived::Kind::product, x, {group, w_in}, node.id});
  graph.derive({Derived::Kind::product, w_out, {group, out}, node.id});
}

// The result's channel lanes: a zero weight leaves the bias.
Lane bias_lane(Trial& trial, const Node& node) {
  if (!has_bias(node)) return Lane::of(trial.output_type(node, 0), 0);
  trial.fill_bias(node, 2);
  return trial.lane(node, 2, 0);
}

void convolve(Trial& trial, const Node& node, int w_in, int w_out) {
  const ClassGraph& graph = trial.graph();
  trial.fill(node, 1, 0);
  if (trial.padded(graph.input(node, 0, 1))) {
    const Lane x = trial.lane(node, 0, 1);
    const bool tied = !trial.padded(graph.input(node, 1, w_in));  // depthwise: the weight's rows stand for both sides
    const Lane w = trial.lane(node, 1, tied ? w_out : w_in);
    if (!x.finite() || !w.finite()) {
      trial.refuse(node, "nonfinite_lane", "padding lanes that may not be finite are multiplied");
    } else if (!x.zero() && !w.zero()) {
      trial.refuse(node, "both_dynamic", "neither side of the product is zero in the padding lanes");
    }
  }
  if (trial.padded(graph.output(node, 0, 1))) {
    const bool zero = trial.lane(node, 1, w_out).zero();
    trial.set(node, 0, 1, zero ? bias_lane(trial, node) : Lane::nonfinite());
  }
  if (trial.padded(graph.output(node, 0, 0))) trial.set(node, 0, 0, Lane::data());
}

void conv_lanes(Trial& trial, const Node& node) { convolve(trial, node, 1, 0); }

void conv_edit(Editor& editor, const Node& node) {
  const ClassGraph& graph = editor.graph();
  const Point x = graph.input(node, 0, 1);
  if (editor.padded(x) && depthwise(graph, node)) editor.attribute(node, {"group", editor.extent(x)});
}

void transpose_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  if (!ranked(graph, node)) return;
  spatial_barriers(graph, node);
  const Point x = graph.input(node, 0, 1), y = graph.output(node, 0, 1);
  const Point w_in = graph.input(node, 1, 0), w_out = graph.input(node, 1, 1);
  graph.join(graph.input(node, 0, 0), graph.output(node, 0, 0), node);
  if (has_bias(node)) graph.join(graph.input(node, 2, 0), y, node);
  if (groups(node) != 1) {
    for (const Point point : {x, y, w_in, w_out})
      graph.block(point, node.id, "option_off", "grouped ConvTranspose is left alone");
    return;
  }
  graph.join(x, w_in, node);
  graph.join(w_out, y, node);
}

void transpose_lanes(Trial& trial, const Node& node) { convolve(trial, node, 0, 1); }

}  // namespace

const Row rows::conv = {.connect = connect, .lanes = conv_lanes, .edit = conv_edit};
const Row rows::conv_transpose = {.connect = transpose_connect, .lanes = transpose_lanes, .edit = nullptr};

}  // namespace aegis::padding
