// Reductions. Sums ignore zero lanes wherever they stand (and keep their bits where the zeros come last); ArgMax may
// pick no lane that holds the lowest number; the others break on the axes they reduce. All other axes pass.
#include <cmath>

#include "model/attribute.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

bool arg(const Node& node) { return node.op == "ArgMax" || node.op == "ArgMin"; }

// The reduced axes, or nullopt when they are computed.
std::optional<std::vector<bool>> reduced(const ClassGraph& graph, const Node& node) {
  const int rank = graph.input_rank(node, 0);
  if (rank < 0) return std::nullopt;
  std::vector<bool> out(static_cast<std::size_t>(rank), false);
  std::vector<std::int64_t> axes;
  if (arg(node)) {
    axes = {attribute(node, "axis", std::int64_t{0})};
  } else {
    const Integers given = attribute_or_input(graph, node, "axes", 1);
    if (!given.absent && !given.values) return std::nullopt;
    if (given.values) axes = *given.values;
    if (axes.empty() && attribute(node, "noop_with_empty_axes", std::int64_t{0}) == 0) out.assign(out.size(), true);
  }
  for (const std::int64_t axis : axes) {
    const int normal = normal_axis(axis, rank);
    if (normal < 0) return std::nullopt;
    out[static_cast<std::size_t>(normal)] = true;
  }
  return out;
}

bool keeps_dims(const Node& node) { return attribute(node, "keepdims", std::int64_t{1}) != 0; }

void connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const std::optional<std::vector<bool>> axes = reduced(graph, node);
  if (!axes) return graph.block_all(node, "lane_mixing", "the reduced axes are not known");
  int out = 0;
  for (int axis = 0; axis < graph.input_rank(node, 0); ++axis) {
    const bool gone = (*axes)[static_cast<std::size_t>(axis)];
    if (!gone) graph.join(graph.input(node, 0, axis), graph.output(node, 0, out), node);
    if (!gone || keeps_dims(node)) ++out;
  }
}

void mix(Trial& trial, const Node& node, int axis, const std::vector<bool>& axes) {
  const Op* op = find_op(node.domain, node.op);
  const bool last = last_in_order(trial, node, 0, axis, axes);
  const Lane lane = trial.lane(node, 0, axis);
  if (op->pad == PadRow::reduce_sum && lane.zero()) {
    if (!last) trial.rescaled();
  } else if (node.op == "ArgMax" && below_all(lane) && last &&
             attribute(node, "select_last_index", std::int64_t{0}) == 0) {
    // Ties go to the first lane, and the padding lanes come last.
  } else {
    trial.refuse(node, "lane_mixing", "the padding lanes would take part in the reduction of this axis");
  }
}

// A lane of an axis that stays: its numbers are reduced along the others.
Lane passing(Trial& trial, const Node& node, const Lane& lane) {
  const DType type = trial.output_type(node, 0);
  if (arg(node)) return lane.finite() ? Lane::data() : lane;
  if (!lane.finite() || node.op == "ReduceLogSum") return Lane::nonfinite();
  if (node.op == "ReduceLogSumExp") return lane.zero() ? Lane::data() : Lane::nonfinite();
  if (lane.zero()) return Lane::of(type, 0);
  if (node.op == "ReduceMax" || node.op == "ReduceMin") return lane;
  if (node.op == "ReduceProd" || (lane.constant() && std::abs(lane.number()) > 1e4)) return Lane::nonfinite();
  return Lane::data();
}

void lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  const std::vector<bool> axes = *reduced(graph, node);
  int out = 0;
  for (int axis = 0; axis < graph.input_rank(node, 0); ++axis) {
    const bool gone = axes[static_cast<std::size_t>(axis)];
    if (trial.padded(graph.input(node, 0, axis))) {
      if (gone) {
        mix(trial, node, axis, axes);
      } else {
        trial.set(node, 0, out, passing(trial, node, trial.lane(node, 0, axis)));
      }
    }
    if (!gone || keeps_dims(node)) ++out;
  }
}

}  // namespace

const Row rows::reduce = {.connect = connect, .lanes = lanes, .edit = nullptr};

}  // namespace aegis::padding
