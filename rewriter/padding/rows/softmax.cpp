// Softmax and its kin over the padded axis stay right when the padding lanes are the lowest number there is: exp of it
// is zero and no maximum picks it. That number comes from the bias of the producer; a mask on the way could be as low.
#include "model/attribute.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

std::vector<bool> mixed_axes(const ClassGraph& graph, const Node& node) {
  const int rank = graph.output_rank(node, 0);
  const bool flattens = graph.model().opset() < 13;
  const int axis = normal_axis(attribute(node, "axis", std::int64_t{flattens ? 1 : -1}), rank);
  std::vector<bool> mixed(static_cast<std::size_t>(rank), axis < 0);
  if (axis >= 0) {
    for (int i = axis; i < (flattens ? rank : axis + 1); ++i) mixed[static_cast<std::size_t>(i)] = true;
  }
  return mixed;
}

void connect(ClassGraph& graph, const Node& node, const PaddingOptions&) { join_all(graph, node, 0, 0); }

void lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  const std::vector<bool> mixed = mixed_axes(graph, node);
  for (int axis = 0; axis < graph.output_rank(node, 0); ++axis) {
    if (!trial.padded(graph.output(node, 0, axis))) continue;
    const Lane lane = trial.lane(node, 0, axis);
    if (!mixed[static_cast<std::size_t>(axis)]) {
      trial.set(node, 0, axis, lane.finite() ? Lane::data() : lane);
      continue;
    }
    if (!below_all(lane) || !last_in_order(trial, node, 0, axis, mixed)) {
      trial.refuse(node, "lane_mixing", "the padding lanes would take part in the sum over this axis");
      return;
    }
    const bool log = node.op == "LogSoftmax";
    if (log) {
      trial.set(node, 0, axis, trial.type_of(node, 0) == DType::f16 ? Lane::nonfinite() : Lane::data());
    } else {
      trial.set(node, 0, axis, Lane::of(trial.output_type(node, 0), 0));
    }
  }
}

}  // namespace

const Row rows::softmax = {.connect = connect, .lanes = lanes, .edit = nullptr};

}  // namespace aegis::padding
