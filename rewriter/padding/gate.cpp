#include "rewriter/padding/gate.hpp"

#include <algorithm>

#include "rewriter/padding/row.hpp"
#include "rewriter/padding/weights.hpp"

namespace aegis::padding {
namespace {

double ratio(const ClassGraph& graph, const Settled& settled, Point point) {
  if (point == no_point) return 1;
  const auto map = settled.maps.find(graph.find(point));
  if (map == settled.maps.end()) return 1;
  return static_cast<double>(map->second.total()) / static_cast<double>(map->second.valid());
}

double output_growth(const ClassGraph& graph, const Settled& settled, const Node& node, std::size_t slot) {
  double out = 1;
  for (int axis = 0; axis < graph.output_rank(node, slot); ++axis)
    out *= ratio(graph, settled, graph.output(node, slot, axis));
  return out;
}

// FLOPs of a product or convolution: the result's elements times the contracted extent.
double flop_growth(const ClassGraph& graph, const Settled& settled, const Node& node) {
  const Row* row = row_of(graph.model(), node);
  const double out = output_growth(graph, settled, node, 0);
  if (row == &rows::matmul) return out * ratio(graph, settled, graph.input(node, 0, graph.input_rank(node, 0) - 1));
  if (row == &rows::conv) return out * ratio(graph, settled, graph.input(node, 1, 1));
  if (row == &rows::conv_transpose) return out * ratio(graph, settled, graph.input(node, 1, 0));
  if (row != &rows::gemm && row != &rows::einsum) return 1;
  double contracted = 1;  // axes of the first operand whose class the result does not have
  for (int axis = 0; axis < graph.input_rank(node, 0); ++axis) {
    const Point point = graph.input(node, 0, axis);
    bool kept = false;
    for (int other = 0; other < graph.output_rank(node, 0); ++other) {
      kept = kept || graph.find(graph.output(node, 0, other)) == graph.find(point);
    }
    if (!kept) contracted *= ratio(graph, settled, point);
  }
  return out * contracted;
}

// Bytes of all stored constants, and what padding and splitting them adds.
struct Stored {
  double before = 0, padded = 0, copied = 0;
};

Stored stored_bytes(const ClassGraph& graph, const Settled& settled) {
  Stored bytes;
  const Model& model = graph.model();
  for (const Value& value : model.values()) {
    if (!value.alive) continue;
    if (const TensorSource* source = model.constant(value.id)) bytes.before += static_cast<double>(source->raw_size());
  }
  for (const WeightPlan& plan : plan_weights(graph, settled)) {
    const double own = static_cast<double>(model.constant(plan.value)->raw_size());
    for (std::size_t i = 0; i < plan.padded.size(); ++i) {
      const bool copy = plan.keeps || i > 0;
      (copy ? bytes.copied : bytes.padded) += own * growth(plan.padded[i]) - (copy ? 0 : own);
    }
  }
  return bytes;
}

// Bytes of all values that nodes make, an extent that is not fixed counting as one. Stands in for the peak.
double activation_bytes(const ClassGraph& graph, const Settled& settled) {
  double bytes = 0;
  for (const Node& node : graph.model().nodes()) {
    if (!node.alive) continue;
    for (std::size_t slot = 0; slot < node.outputs.size(); ++slot) {
      const int rank = graph.output_rank(node, slot);
      if (rank < 0) continue;
      double size = bits(graph.types().of(node.outputs[slot]).dtype) / 8.0;
      for (int axis = 0; axis < rank; ++axis) {
        const Point point = graph.output(node, slot, axis);
        if (point == no_point) continue;
        size *= static_cast<double>(std::max<std::int64_t>(graph.extent(point), 1)) * ratio(graph, settled, point);
      }
      bytes += size;
    }
  }
  return bytes;
}

std::string percent(double from, double to, double limit) {
  const auto text = [](double x) { return std::to_string(static_cast<int>(x * 100 + 0.5)) + " %"; };
  return "grows to " + text(to / from) + ", the limit is " + text(limit);
}

}  // namespace

std::optional<Reason> over_limits(const GateInput& input, const PaddingOptions& options) {
  const ClassGraph& graph = *input.graph;
  const Settled& after = *input.after;
  for (const NodeId id : input.nodes) {
    const Node& node = graph.model().node(id);
    for (std::size_t slot = 0; slot < node.outputs.size(); ++slot) {
      const double out = output_growth(graph, after, node, slot);
      if (out > options.max_tensor_growth)
        return Reason{id, "tensor_growth", "an output " + percent(1, out, options.max_tensor_growth)};
    }
    for (std::size_t slot = 0; slot < node.inputs.size(); ++slot) {
      if (!graph.constant(node, slot)) continue;
      double own = 1;
      for (int axis = 0; axis < graph.input_rank(node, slot); ++axis)
        own *= ratio(graph, after, graph.input(node, slot, axis));
      if (own > options.max_tensor_growth)
        return Reason{id, "tensor_growth", "a weight " + percent(1, own, options.max_tensor_growth)};
    }
    const double flops = flop_growth(graph, after, node);
    if (flops > options.max_flop_growth)
      return Reason{id, "flop_growth", "the work in FLOPs " + percent(1, flops, options.max_flop_growth)};
  }
  const NodeId first = input.nodes.empty() ? NodeId::none : input.nodes.front();
  const Stored bytes = stored_bytes(graph, after);
  if (bytes.before > 0 && bytes.before + bytes.padded > options.max_file_growth * bytes.before) {
    return Reason{first, "file_growth",
                  "the file " + percent(bytes.before, bytes.before + bytes.padded, options.max_file_growth)};
  }
  if (bytes.before > 0 && bytes.before + bytes.padded + bytes.copied > options.max_file_growth * bytes.before) {
    return Reason{first, "shared_weight",
                  "with a copy of a shared weight the file " +
                      percent(bytes.before, bytes.before + bytes.padded + bytes.copied, options.max_file_growth)};
  }
  const double plain = activation_bytes(graph, Settled{}), grown = activation_bytes(graph, after);
  if (plain > 0 && grown > options.max_activation_growth * plain) {
    return Reason{first, "activation_growth",
                  "the activations " + percent(plain, grown, options.max_activation_growth)};
  }
  return std::nullopt;
}

}  // namespace aegis::padding
