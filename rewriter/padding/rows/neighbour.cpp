// Operators whose lanes look at other lanes of one axis and keep the shape: LRN, LpNormalization, CumSum. Zero lanes
// add nothing to what they sum.
#include "model/attribute.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

int mixed_axis(const ClassGraph& graph, const Node& node) {
  const int rank = graph.output_rank(node, 0);
  if (node.op == "LRN") return rank > 1 ? 1 : -1;
  if (node.op == "LpNormalization") return normal_axis(attribute(node, "axis", std::int64_t{-1}), rank);
  const std::optional<std::vector<std::int64_t>> axis = known_integers(graph, node, 1);
  return axis && axis->size() == 1 ? normal_axis((*axis)[0], rank) : -1;
}

void connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  if (mixed_axis(graph, node) < 0) return graph.block_all(node, "lane_mixing", "the axis is computed");
  join_all(graph, node, 0, 0);
}

// A lane of an axis that stays: LpNormalization divides zero lanes by a norm of zero.
Lane passing(Trial& trial, const Node& node, const Lane& lane) {
  if (node.op == "LpNormalization" || !lane.zero()) return Lane::nonfinite();
  return Lane::of(trial.output_type(node, 0), 0);
}

void lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  const int mixed = mixed_axis(graph, node);
  for (int axis = 0; axis < graph.output_rank(node, 0); ++axis) {
    if (!trial.padded(graph.output(node, 0, axis))) continue;
    const Lane lane = trial.lane(node, 0, axis);
    if (axis != mixed) {
      trial.set(node, 0, axis, passing(trial, node, lane));
      continue;
    }
    const bool last = trial.map(graph.output(node, 0, axis))->suffix_only();
    if (!lane.zero() || (node.op == "LRN" && !last)) {
      return trial.refuse(node, "lane_mixing", "the padding lanes would take part in the sums along this axis");
    }
    if (!last) trial.rescaled();
    trial.set(node, 0, axis, node.op == "CumSum" ? Lane::data() : Lane::of(trial.output_type(node, 0), 0));
  }
}

}  // namespace

const Row rows::neighbour = {.connect = connect, .lanes = lanes, .edit = nullptr};

}  // namespace aegis::padding
