// Operators that move axes without touching lanes: Transpose, Squeeze, Unsqueeze, Gather over another axis, Constant.
#include "model/attribute.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

void transpose_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const int rank = graph.input_rank(node, 0);
  if (rank < 0 || graph.output_rank(node, 0) != rank)
    return graph.block_all(node, "unknown_dim", "a rank is not known");
  std::vector<std::int64_t> perm = attribute_ints(node, "perm").value_or(std::vector<std::int64_t>{});
  if (perm.empty()) {
    for (int axis = rank - 1; axis >= 0; --axis) perm.push_back(axis);
  }
  if (perm.size() != static_cast<std::size_t>(rank))
    return graph.block_all(node, "unknown_dim", "perm does not fit the rank");
  for (int axis = 0; axis < rank; ++axis) {
    const int from = normal_axis(perm[static_cast<std::size_t>(axis)], rank);
    graph.join(graph.input(node, 0, from), graph.output(node, 0, axis), node);
  }
}

// Joins the axes of the side with more of them, without those named, with the other side in order.
void join_without(ClassGraph& graph, const Node& node, const std::vector<bool>& named, bool input_is_longer) {
  int other = 0;
  for (int axis = 0; axis < static_cast<int>(named.size()); ++axis) {
    if (named[static_cast<std::size_t>(axis)]) continue;
    const Point in = graph.input(node, 0, input_is_longer ? axis : other);
    const Point out = graph.output(node, 0, input_is_longer ? other : axis);
    graph.join(in, out, node);
    ++other;
  }
}

std::optional<std::vector<bool>> named_axes(std::span<const std::int64_t> axes, int rank) {
  std::vector<bool> named(static_cast<std::size_t>(rank), false);
  for (const std::int64_t axis : axes) {
    const int normal = normal_axis(axis, rank);
    if (normal < 0) return std::nullopt;
    named[static_cast<std::size_t>(normal)] = true;
  }
  return named;
}

void squeeze_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const int rank = graph.input_rank(node, 0);
  const Integers axes = attribute_or_input(graph, node, "axes", 1);
  if (rank < 0 || (!axes.absent && !axes.values))
    return graph.block_all(node, "shape_read", "the squeezed axes are not known");
  std::optional<std::vector<bool>> named;
  if (axes.values) {
    named = named_axes(*axes.values, rank);
  } else {
    named.emplace();
    for (int axis = 0; axis < rank; ++axis) named->push_back(graph.extent(graph.input(node, 0, axis)) == 1);
  }
  if (!named) return graph.block_all(node, "shape_read", "an axis is out of range");
  join_without(graph, node, *named, true);
}

void unsqueeze_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const int rank = graph.output_rank(node, 0);
  const Integers axes = attribute_or_input(graph, node, "axes", 1);
  if (rank < 0 || !axes.values) return graph.block_all(node, "shape_read", "the new axes are not known");
  const std::optional<std::vector<bool>> named = named_axes(*axes.values, rank);
  if (!named) return graph.block_all(node, "shape_read", "an axis is out of range");
  join_without(graph, node, *named, false);
}

void gather_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const int data = graph.input_rank(node, 0), indices = graph.input_rank(node, 1);
  if (data < 0 || indices < 0) return graph.block_all(node, "unknown_dim", "a rank is not known");
  const int axis = normal_axis(attribute(node, "axis", std::int64_t{0}), data);
  if (axis < 0) return graph.block_all(node, "unknown_dim", "the axis is out of range");
  for (int i = 0; i < data; ++i) {
    if (i == axis) {
      graph.block(graph.input(node, 0, i), node.id, "lane_mixing", "lanes of this axis are picked by index");
    } else {
      graph.join(graph.input(node, 0, i), graph.output(node, 0, i < axis ? i : i - 1 + indices), node);
    }
  }
  for (int i = 0; i < indices; ++i) {
    graph.block(graph.input(node, 1, i), node.id, "lane_mixing", "this axis counts indices");
    graph.block(graph.output(node, 0, axis + i), node.id, "lane_mixing", "this axis counts indices");
  }
}

void constant_connect(ClassGraph&, const Node&, const PaddingOptions&) {}
void constant_lanes(Trial&, const Node&) {}

}  // namespace

const Row rows::transpose = {.connect = transpose_connect, .lanes = pass_lanes, .edit = nullptr};
const Row rows::squeeze = {.connect = squeeze_connect, .lanes = pass_lanes, .edit = nullptr};
const Row rows::unsqueeze = {.connect = unsqueeze_connect, .lanes = pass_lanes, .edit = nullptr};
const Row rows::gather = {.connect = gather_connect, .lanes = pass_lanes, .edit = nullptr};
const Row rows::constant = {.connect = constant_connect, .lanes = constant_lanes, .edit = nullptr};

}  // namespace aegis::padding
