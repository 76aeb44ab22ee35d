// Normalisations. Their padding channels are silenced by a scale of 0 and a variance of 1; axes that they average over
// may not be padded.
#include "model/attribute.hpp"
#include "rewriter/padding/row.hpp"

namespace aegis::padding {
namespace {

void join_channel_parameters(ClassGraph& graph, const Node& node, std::size_t count) {
  for (std::size_t slot = 1; slot <= count; ++slot) {
    graph.join(graph.input(node, slot, 0), graph.output(node, 0, 1), node);
  }
}

// ---- BatchNormalization: scale, B, mean and variance along axis 1.

void batch_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const bool training = attribute(node, "training_mode", std::int64_t{0}) != 0 || node.outputs.size() > 1;
  if (training) return graph.block_all(node, "unknown_op", "batch statistics are computed here");
  join_all(graph, node, 0, 0);
  if (graph.output_rank(node, 0) < 2) return graph.block_all(node, "unknown_dim", "there is no channel axis");
  join_channel_parameters(graph, node, 4);
}

void batch_lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  for (int axis = 0; axis < graph.output_rank(node, 0); ++axis) {
    if (!trial.padded(graph.output(node, 0, axis))) continue;
    const Lane x = trial.lane(node, 0, axis);
    if (axis != 1) {
      trial.set(node, 0, axis, x.finite() ? Lane::data() : x);
      continue;
    }
    trial.fill(node, 1, 0);
    trial.fill_bias(node, 2);
    trial.fill(node, 3, 0);
    trial.fill(node, 4, 1);
    const Lane scale = trial.lane(node, 1, 0), b = trial.lane(node, 2, 0), mean = trial.lane(node, 3, 0),
               var = trial.lane(node, 4, 0);
    if (!x.finite() || !scale.constant() || !b.constant() || !mean.constant() || !var.constant() || var.number() <= 0) {
      trial.set(node, 0, axis, Lane::nonfinite());
      continue;
    }
    // A scale of zero forgets what came in, so any finite number stands for it.
    if (!x.constant() && !scale.zero()) {
      trial.set(node, 0, axis, Lane::nonfinite());
      continue;
    }
    Tensor one = x.constant() ? x.value : Tensor::zeros(trial.type_of(node, 0), {1});
    one.dims = {1, 1};
    const Tensor* inputs[] = {&one, &scale.value, &b.value, &mean.value, &var.value};
    trial.set(node, 0, axis, trial.evaluate(node, inputs));
  }
}

// ---- InstanceNormalization: statistics over the spatial axes of each channel.

void instance_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  join_all(graph, node, 0, 0);
  if (graph.output_rank(node, 0) < 3) return graph.block_all(node, "unknown_dim", "there is no spatial axis");
  join_channel_parameters(graph, node, 2);
  for (int axis = 2; axis < graph.output_rank(node, 0); ++axis) {
    graph.block(graph.output(node, 0, axis), node.id, "lane_mixing", "statistics are taken over this axis");
  }
}

void instance_lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  const bool safe = attribute(node, "epsilon", 1e-5f) > 0;
  for (int axis = 0; axis < 2; ++axis) {
    if (!trial.padded(graph.output(node, 0, axis))) continue;
    const Lane x = trial.lane(node, 0, axis);
    if (axis == 0) {
      trial.set(node, 0, axis, x.finite() && safe ? Lane::data() : Lane::nonfinite());
      continue;
    }
    trial.fill(node, 1, 0);
    trial.fill_bias(node, 2);
    const Lane scale = trial.lane(node, 1, 0), bias = trial.lane(node, 2, 0);
    trial.set(node, 0, axis, x.finite() && safe && scale.zero() ? bias : Lane::nonfinite());
  }
}

// ---- LayerNormalization, RMSNormalization: statistics from `axis` on; all other axes pass.

int first_normalised(const ClassGraph& graph, const Node& node) {
  return normal_axis(attribute(node, "axis", std::int64_t{-1}), graph.output_rank(node, 0));
}

void layer_connect(ClassGraph& graph, const Node& node, const PaddingOptions&) {
  const int rank = graph.output_rank(node, 0), first = first_normalised(graph, node);
  join_all(graph, node, 0, 0);
  if (rank < 0 || first < 0) return;
  for (int axis = first; axis < rank; ++axis) {
    graph.block(graph.output(node, 0, axis), node.id, "unfoldable_norm",
                "the norm takes its statistics over this axis");
  }
  for (std::size_t slot = 1; slot < node.inputs.size(); ++slot) {
    const int own = graph.input_rank(node, slot);
    for (int axis = 0; axis < own; ++axis) {
      if (rank - own + axis < first)
        graph.block(graph.input(node, slot, axis), node.id, "unfoldable_norm", "a parameter of the norm");
    }
  }
  for (std::size_t out = 1; out < node.outputs.size(); ++out) {
    for (int axis = 0; axis < graph.output_rank(node, out); ++axis) {
      graph.block(graph.output(node, out, axis), node.id, "unfoldable_norm", "a statistic of the norm");
    }
  }
}

void layer_lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  const bool safe = attribute(node, "epsilon", 1e-5f) > 0;
  for (int axis = 0; axis < graph.output_rank(node, 0); ++axis) {
    if (!trial.padded(graph.output(node, 0, axis))) continue;
    const Lane x = trial.lane(node, 0, axis);
    trial.set(node, 0, axis, x.finite() && safe ? Lane::data() : Lane::nonfinite());
  }
}

}  // namespace

const Row rows::batch_norm = {.connect = batch_connect, .lanes = batch_lanes, .edit = nullptr};
const Row rows::instance_norm = {.connect = instance_connect, .lanes = instance_lanes, .edit = nullptr};
const Row rows::layer_norm = {.connect = layer_connect, .lanes = layer_lanes, .edit = nullptr};

}  // namespace aegis::padding
