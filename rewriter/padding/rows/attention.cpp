// Attention: the head dim of Q and K is contracted, that of V goes to the result. An absent scale means one over the
// root of the head dim, so it is spelled out before the dim grows.
#include <cmath>

#include "model/attribute.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

bool there(const Node& node, std::size_t slot) {
  return slot < node.inputs.size() && node.inputs[slot] != ValueId::none;
}

struct Heads {
  bool packed = false;  // [batch, sequence, heads * dim], else [batch, heads, sequence, dim]
  std::int64_t query = 1, key = 1;
};

Heads heads_of(const ClassGraph& graph, const Node& node) {
  const bool packed = graph.input_rank(node, 0) == 3;
  return {packed, attribute(node, "q_num_heads", std::int64_t{0}), attribute(node, "kv_num_heads", std::int64_t{0})};
}

// The head dim behind the last axis of a packed operand.
void pack(ClassGraph& graph, const Node& node, Point whole, std::int64_t heads, Point dim) {
  const Point blocks = graph.make_virtual(heads);
  graph.block(blocks, node.id, "", "");
  graph.derive({Derived::Kind::product, whole, {blocks, dim}, node.id});
}

void connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const Heads heads = heads_of(graph, node);
  const int rank = heads.packed ? 3 : 4;
  if (there(node, 4) || there(node, 5)) return graph.block_all(node, "state_io", "keys and values of the past come in");
  bool plain = node.outputs.size() == 1;
  for (std::size_t slot = 0; slot < 3; ++slot) plain = plain && graph.input_rank(node, slot) == rank;
  if (!plain || graph.output_rank(node, 0) != rank)
    return graph.block_all(node, "unknown_op", "this form of Attention is not read");
  const Point q = graph.input(node, 0, rank - 1), k = graph.input(node, 1, rank - 1),
              v = graph.input(node, 2, rank - 1), y = graph.output(node, 0, rank - 1);
  for (int axis = 0; axis + 1 < rank; ++axis) {
    for (std::size_t slot = 0; slot < 3; ++slot)
      graph.block(graph.input(node, slot, axis), node.id, "lane_mixing", "batch, heads and sequence stay");
    graph.block(graph.output(node, 0, axis), node.id, "lane_mixing", "batch, heads and sequence stay");
  }
  if (!heads.packed) {
    graph.join(q, k, node);
    graph.join(v, y, node);
    return;
  }
  const bool fits = heads.query > 0 && heads.key > 0 && graph.extent(q) > 0 && graph.extent(v) > 0 &&
                    graph.extent(q) % heads.query == 0 && graph.extent(v) % heads.key == 0;
  if (!fits) return graph.block_all(node, "unknown_dim", "the head dims are not known");
  const Point dim = graph.make_virtual(graph.extent(q) / heads.query),
              value_dim = graph.make_virtual(graph.extent(v) / heads.key);
  pack(graph, node, q, heads.query, dim);
  pack(graph, node, k, heads.key, dim);
  pack(graph, node, v, heads.key, value_dim);
  pack(graph, node, y, heads.query, value_dim);
}

void lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  const int last = graph.input_rank(node, 0) - 1;
  if (trial.padded(graph.input(node, 0, last))) {
    const Lane q = trial.lane(node, 0, last), k = trial.lane(node, 1, last);
    if (!q.finite() || !k.finite())
      return trial.refuse(node, "nonfinite_lane", "padding lanes that may not be finite are multiplied");
    if (!q.zero() && !k.zero())
      return trial.refuse(node, "both_dynamic", "neither side of the product is zero in the padding lanes");
  }
  if (trial.padded(graph.input(node, 2, last))) {
    const bool zero = trial.lane(node, 2, last).zero();
    trial.set(node, 0, last, zero ? Lane::of(trial.output_type(node, 0), 0) : Lane::nonfinite());
  }
}

void edit(Editor& editor, const Node& node) {
  const ClassGraph& graph = editor.graph();
  const Heads heads = heads_of(graph, node);
  const Point q = graph.input(node, 0, graph.input_rank(node, 0) - 1);
  if (!editor.padded(q) || has_attribute(node, "scale")) return;
  const std::int64_t dim = graph.extent(q) / (heads.packed ? heads.query : 1);
  editor.attribute(node, {"scale", 1.0f / std::sqrt(static_cast<float>(dim))});
}

}  // namespace

const Row rows::attention = {.connect = connect, .lanes = lanes, .edit = edit};

}  // namespace aegis::padding
