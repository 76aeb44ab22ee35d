// Operators that put axes together or take them apart: Concat, Split, Slice, Tile, Expand, DepthToSpace. The map of the
// longer axis is made of the maps of its parts; sizes and bounds that the graph spells out follow.
#include <algorithm>

#include "model/attribute.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

// ---- Concat

void concat_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const int rank = graph.output_rank(node, 0);
  const int axis = rank < 0 ? -1 : normal_axis(attribute(node, "axis", std::int64_t{1}), rank);
  if (axis < 0) return graph.block_all(node, "unknown_dim", "a rank is not known");
  std::vector<Point> parts;
  for (std::size_t in = 0; in < node.inputs.size(); ++in) {
    if (graph.input_rank(node, in) != rank) return graph.block_all(node, "unknown_dim", "a rank is not known");
    for (int i = 0; i < rank; ++i) {
      if (i != axis) graph.join(graph.input(node, in, i), graph.output(node, 0, i), node);
    }
    parts.push_back(graph.input(node, in, axis));
  }
  if (parts.size() == 1) return graph.join(parts[0], graph.output(node, 0, axis), node);
  graph.derive({Derived::Kind::sum, graph.output(node, 0, axis), std::move(parts), node.id});
}

// ---- Split

std::optional<std::vector<std::int64_t>> split_sizes(const ClassGraph& graph, const Node& node, int axis) {
  const Integers given = attribute_or_input(graph, node, "split", 1);
  if (!given.absent) return given.values;
  const std::int64_t whole = graph.extent(graph.input(node, 0, axis));
  const auto count = static_cast<std::int64_t>(node.outputs.size());
  if (whole < 0 || count == 0 || whole % count != 0) return std::nullopt;
  return std::vector<std::int64_t>(node.outputs.size(), whole / count);
}

int split_axis(const ClassGraph& graph, const Node& node) {
  const int rank = graph.input_rank(node, 0);
  return rank < 0 ? -1 : normal_axis(attribute(node, "axis", std::int64_t{0}), rank);
}

void split_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const int rank = graph.input_rank(node, 0), axis = split_axis(graph, node);
  if (axis < 0) return graph.block_all(node, "unknown_dim", "a rank is not known");
  const std::optional<std::vector<std::int64_t>> sizes = split_sizes(graph, node, axis);
  if (!sizes || sizes->size() != node.outputs.size())
    return graph.block_all(node, "cut_segment", "the sizes of a Split are computed");
  std::int64_t at = 0;
  for (std::size_t out = 0; out < node.outputs.size(); ++out) {
    const std::int64_t size = (*sizes)[out];
    for (int i = 0; i < rank; ++i) {
      if (i != axis && node.outputs[out] != ValueId::none)
        graph.join(graph.input(node, 0, i), graph.output(node, out, i), node);
    }
    if (node.outputs[out] == ValueId::none || graph.output_rank(node, out) != rank) {
      return graph.block_all(node, "cut_segment", "a part of a Split is not named");
    }
    graph.cut(graph.input(node, 0, axis), at, at + size, graph.output(node, out, axis), node);
    at += size;
  }
}

void split_edit(Editor& editor, const Node& node) {
  const ClassGraph& graph = editor.graph();
  const int axis = split_axis(graph, node);
  if (axis < 0 || !editor.padded(graph.input(node, 0, axis))) return;
  std::vector<std::int64_t> sizes;
  for (std::size_t out = 0; out < node.outputs.size(); ++out)
    sizes.push_back(editor.extent(graph.output(node, out, axis)));
  if (has_attribute(node, "split")) return editor.attribute(node, {"split", sizes});
  if (node.inputs.size() > 1 && node.inputs[1] != ValueId::none) return editor.integers(node, 1, sizes);
  if (std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) != sizes.end()) {
    editor.fail(node, "cut_segment", "a Split without sizes needs equal parts");
  }
}

// ---- Slice

struct Slices {
  std::vector<std::int64_t> starts, ends, axes, steps;
};

std::optional<Slices> slices_of(const ClassGraph& graph, const Node& node, int rank) {
  const Integers starts = attribute_or_input(graph, node, "starts", 1),
                 ends = attribute_or_input(graph, node, "ends", 2);
  const Integers axes = attribute_or_input(graph, node, "axes", 3), steps = attribute_or_input(graph, node, "steps", 4);
  if (!starts.values || !ends.values || (!axes.absent && !axes.values) || (!steps.absent && !steps.values))
    return std::nullopt;
  Slices out{*starts.values, *ends.values, {}, {}};
  const std::size_t count = out.starts.size();
  out.axes = axes.values.value_or(std::vector<std::int64_t>{});
  for (std::size_t i = out.axes.size(); axes.absent && i < count; ++i) out.axes.push_back(static_cast<std::int64_t>(i));
  out.steps = steps.values.value_or(std::vector<std::int64_t>(count, 1));
  if (out.ends.size() != count || out.axes.size() != count || out.steps.size() != count) return std::nullopt;
  for (std::int64_t& axis : out.axes) {
    axis = normal_axis(axis, rank);
    if (axis < 0) return std::nullopt;
  }
  return out;
}

std::int64_t bounded(std::int64_t bound, std::int64_t extent) {
  return std::clamp(bound < 0 ? bound + extent : bound, std::int64_t{0}, extent);
}

void slice_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const int rank = graph.input_rank(node, 0);
  if (rank < 0 || graph.output_rank(node, 0) != rank)
    return graph.block_all(node, "unknown_dim", "a rank is not known");
  const std::optional<Slices> slices = slices_of(graph, node, rank);
  if (!slices) return graph.block_all(node, "cut_segment", "the bounds of a Slice are computed");
  std::vector<bool> done(static_cast<std::size_t>(rank), false);
  for (std::size_t i = 0; i < slices->axes.size(); ++i) {
    const int axis = static_cast<int>(slices->axes[i]);
    const Point in = graph.input(node, 0, axis), out = graph.output(node, 0, axis);
    done[static_cast<std::size_t>(axis)] = true;
    const std::int64_t extent = graph.extent(in);
    if (extent < 0 || slices->steps[i] != 1) {
      graph.block(in, node.id, "cut_segment", "a Slice with steps, or of an axis that is not fixed");
      graph.block(out, node.id, "cut_segment", "a Slice with steps, or of an axis that is not fixed");
      continue;
    }
    graph.cut(in, bounded(slices->starts[i], extent), bounded(slices->ends[i], extent), out, node);
  }
  for (int axis = 0; axis < rank; ++axis) {
    if (!done[static_cast<std::size_t>(axis)])
      graph.join(graph.input(node, 0, axis), graph.output(node, 0, axis), node);
  }
}

// The bound after `lanes` valid lanes, in the padded axis. A cut is a border of runs or lies inside a valid run.
std::int64_t shifted(const LaneMap& map, std::int64_t lanes, bool end) {
  std::int64_t at = 0, valid = 0;
  for (const LaneMap::Run& run : map.runs()) {
    if (run.valid && (lanes < valid + run.lanes || (end && lanes == valid + run.lanes))) return at + lanes - valid;
    if (run.valid) valid += run.lanes;
    at += run.lanes;
  }
  return at;
}

void slice_edit(Editor& editor, const Node& node) {
  const ClassGraph& graph = editor.graph();
  const int rank = graph.input_rank(node, 0);
  const std::optional<Slices> slices = slices_of(graph, node, rank);
  if (!slices) return;
  std::vector<std::int64_t> starts = slices->starts, ends = slices->ends;
  bool changed = false;
  for (std::size_t i = 0; i < slices->axes.size(); ++i) {
    const int axis = static_cast<int>(slices->axes[i]);
    const Point in = graph.input(node, 0, axis), out = graph.output(node, 0, axis);
    const LaneMap* map = editor.map(in);
    if (map == nullptr) continue;
    const std::int64_t extent = graph.extent(in);
    const std::int64_t from = bounded(slices->starts[i], extent), to = bounded(slices->ends[i], extent);
    if (from == 0 && to == extent) {
      if (slices->starts[i] == 0 && slices->ends[i] >= map->total()) continue;
      starts[i] = 0;
      ends[i] = map->total();
      changed = true;
      continue;
    }
    starts[i] = shifted(*map, from, false);
    ends[i] = starts[i] + editor.extent(out);
    changed = true;
  }
  if (!changed) return;
  if (has_attribute(node, "starts")) {
    editor.attribute(node, {"starts", starts});
    editor.attribute(node, {"ends", ends});
    return;
  }
  editor.integers(node, 1, starts);
  editor.integers(node, 2, ends);
}

// ---- Tile, Expand

void tile_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const int rank = graph.output_rank(node, 0);
  const std::optional<std::vector<std::int64_t>> repeats = known_integers(graph, node, 1);
  if (rank < 0 || graph.input_rank(node, 0) != rank || !repeats || repeats->size() != static_cast<std::size_t>(rank)) {
    return graph.block_all(node, "shape_read", "the repeats of a Tile are computed");
  }
  for (int axis = 0; axis < rank; ++axis) {
    const std::int64_t times = (*repeats)[static_cast<std::size_t>(axis)];
    const Point in = graph.input(node, 0, axis), out = graph.output(node, 0, axis);
    if (times == 1) {
      graph.join(in, out, node);
    } else if (times < 1 || graph.extent(in) < 1) {
      graph.block(in, node.id, "unknown_dim", "the extent of a tiled axis is not fixed");
      graph.block(out, node.id, "unknown_dim", "the extent of a tiled axis is not fixed");
    } else {
      const Point copies = graph.make_virtual(times);
      graph.block(copies, node.id, "", "");
      graph.derive({Derived::Kind::product, out, {copies, in}, node.id});
    }
  }
}

void expand_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const int rank = graph.output_rank(node, 0), own = graph.input_rank(node, 0);
  if (rank < 0 || own < 0) return graph.block_all(node, "unknown_dim", "a rank is not known");
  for (int axis = 0; axis < rank; ++axis) {
    const Point out = graph.output(node, 0, axis), in = graph.input(node, 0, axis - (rank - own));
    if (in != no_point && graph.extent(in) != 1) {
      graph.join(in, out, node);
    } else if (graph.extent(out) != 1) {
      graph.block(out, node.id, "both_dynamic", "an Expand makes the lanes of this axis");
    }
  }
}

void expand_edit(Editor& editor, const Node& node) {
  const ClassGraph& graph = editor.graph();
  const int rank = graph.output_rank(node, 0);
  std::optional<std::vector<std::int64_t>> shape;
  for (int axis = 0; axis < rank; ++axis) {
    const Point out = graph.output(node, 0, axis);
    if (!editor.padded(out)) continue;
    if (!shape) shape = known_integers(graph, node, 1);
    if (!shape) return editor.fail(node, "shape_read", "the shape of an Expand is computed");
    const int at = axis - (rank - static_cast<int>(shape->size()));
    if (at >= 0 && (*shape)[static_cast<std::size_t>(at)] != 1)
      (*shape)[static_cast<std::size_t>(at)] = editor.extent(out);
  }
  if (shape && shape != known_integers(graph, node, 1)) editor.integers(node, 1, *shape);
}

// ---- DepthToSpace, SpaceToDepth: channels hold blocks of r * r.

void blocks_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  if (graph.input_rank(node, 0) != 4 || graph.output_rank(node, 0) != 4)
    return graph.block_all(node, "unknown_dim", "a rank is not known");
  const std::int64_t size = attribute(node, "blocksize", std::int64_t{0});
  const bool to_space = node.op == "DepthToSpace";
  const bool crd = to_space && attribute(node, "mode", "DCR") == "CRD";
  graph.join(graph.input(node, 0, 0), graph.output(node, 0, 0), node);
  for (int axis = 2; axis < 4; ++axis) {
    graph.block(graph.input(node, 0, axis), node.id, "lane_mixing", "space and channels change places");
    graph.block(graph.output(node, 0, axis), node.id, "lane_mixing", "space and channels change places");
  }
  const Point deep = to_space ? graph.input(node, 0, 1) : graph.output(node, 0, 1);
  const Point flat = to_space ? graph.output(node, 0, 1) : graph.input(node, 0, 1);
  if (size < 1 || graph.extent(deep) != graph.extent(flat) * size * size || graph.extent(flat) < 0) {
    graph.block(deep, node.id, "unknown_dim", "the channels are not known");
    graph.block(flat, node.id, "unknown_dim", "the channels are not known");
    return;
  }
  const Point block = graph.make_virtual(size * size);
  graph.block(block, node.id, "", "");
  graph.derive({Derived::Kind::product, deep, crd ? std::vector{flat, block} : std::vector{block, flat}, node.id});
}

}  // namespace

const Row rows::concat = {.connect = concat_connect, .lanes = pass_lanes, .edit = nullptr};
const Row rows::split = {.connect = split_connect, .lanes = pass_lanes, .edit = split_edit};
const Row rows::slice = {.connect = slice_connect, .lanes = pass_lanes, .edit = slice_edit};
const Row rows::tile = {.connect = tile_connect, .lanes = pass_lanes, .edit = nullptr};
const Row rows::expand = {.connect = expand_connect, .lanes = pass_lanes, .edit = expand_edit};
const Row rows::depth_to_space = {.connect = blocks_connect, .lanes = pass_lanes, .edit = nullptr};

}  // namespace aegis::padding
