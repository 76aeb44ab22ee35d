#include "rewriter/padding/row.hpp"

#include <algorithm>

#include "model/attribute.hpp"

namespace aegis::padding {

const Row* row_of(const Model& model, const Node& node) {
  if (node.function != ScopeId::none) return nullptr;
  const Op* op = find_op(node.domain, node.op);
  if (op == nullptr) return nullptr;
  const bool plain = node.domain.empty();
  switch (op->pad) {
    case PadRow::elementwise: return &rows::elementwise;
    case PadRow::matmul:
      if (!plain) return nullptr;
      return node.op == "MatMul" ? &rows::matmul : node.op == "MatMulInteger" ? &rows::matmul_integer : nullptr;
    case PadRow::gemm: return plain ? &rows::gemm : nullptr;
    case PadRow::conv: return plain && node.op == "Conv" ? &rows::conv : nullptr;
    case PadRow::conv_transpose: return plain ? &rows::conv_transpose : nullptr;
    case PadRow::batch_norm: return model.opset() >= 9 ? &rows::batch_norm : nullptr;
    case PadRow::spatial: return &rows::spatial;
    case PadRow::instance_norm: return &rows::instance_norm;
    case PadRow::softmax: return &rows::softmax;
    case PadRow::layer_norm: return &rows::layer_norm;
    case PadRow::reduce_sum:
    case PadRow::reduce_other: return &rows::reduce;
    case PadRow::transpose: return &rows::transpose;
    case PadRow::reshape:
    case PadRow::flatten: return &rows::reshape;
    case PadRow::squeeze: return &rows::squeeze;
    case PadRow::unsqueeze: return &rows::unsqueeze;
    case PadRow::concat: return &rows::concat;
    case PadRow::split: return &rows::split;
    case PadRow::slice: return &rows::slice;
    case PadRow::gather: return &rows::gather;
    case PadRow::expand: return &rows::expand;
    case PadRow::tile: return &rows::tile;
    case PadRow::pad: return &rows::pad;
    case PadRow::depth_to_space: return &rows::depth_to_space;
    case PadRow::einsum: return &rows::einsum;
    case PadRow::constant: return &rows::constant;
    case PadRow::barrier: return plain && node.op == "Shape" ? &rows::shape_reader : &rows::barrier;
    case PadRow::rnn: return &rows::recurrent;
    case PadRow::attention: return plain ? &rows::attention : nullptr;
    case PadRow::lrn:
    case PadRow::cumsum: return &rows::neighbour;
    case PadRow::quantize: return &rows::quantise;
    case PadRow::unknown: return plain && node.op == "LpNormalization" ? &rows::neighbour : nullptr;
    case PadRow::group_norm:
    case PadRow::topk: return nullptr;
  }
  return nullptr;
}

std::optional<std::vector<std::int64_t>> known_integers(const ClassGraph& graph, const Node& node, std::size_t slot) {
  if (slot >= node.inputs.size() || node.inputs[slot] == ValueId::none) return std::nullopt;
  const ValueId value = node.inputs[slot];
  if (const TensorSource* source = graph.model().constant(value)) {
    if (source->elements() > 1 << 16) return std::nullopt;
    const Result<Tensor> tensor = source->read();
    if (!tensor) return std::nullopt;
    Result<std::vector<std::int64_t>> numbers = to_integers(*tensor);
    if (!numbers) return std::nullopt;
    return *std::move(numbers);
  }
  const TypeTable& types = graph.types();
  if (index(value) < types.has_known.size() && types.has_known[index(value)]) return types.known[index(value)];
  return std::nullopt;
}

Integers attribute_or_input(const ClassGraph& graph, const Node& node, std::string_view name, std::size_t slot) {
  if (has_attribute(node, name)) return {.values = attribute_ints(node, name)};
  if (slot >= node.inputs.size() || node.inputs[slot] == ValueId::none) return {.absent = true, .values = {}};
  return {.values = known_integers(graph, node, slot)};
}

int normal_axis(std::int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) return -1;
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

void join_all(ClassGraph& graph, const Node& node, std::size_t input, std::size_t output) {
  const int rank = graph.output_rank(node, output);
  if (graph.input_rank(node, input) != rank) {
    graph.block_all(node, "unknown_dim", "the rank of a neighbour is not known");
    return;
  }
  for (int axis = 0; axis < rank; ++axis)
    graph.join(graph.input(node, input, axis), graph.output(node, output, axis), node);
}

void pass_lanes(Trial& trial, const Node& node) {
  const ClassGraph& graph = trial.graph();
  for (std::size_t out = 0; out < node.outputs.size(); ++out) {
    for (int axis = 0; axis < graph.output_rank(node, out); ++axis) {
      const Point point = graph.output(node, out, axis);
      if (!trial.padded(point)) continue;
      std::optional<Lane> same, any;
      for (std::size_t in = 0; in < node.inputs.size(); ++in) {
        for (int from = 0; from < graph.input_rank(node, in); ++from) {
          const Point source = graph.input(node, in, from);
          if (!trial.padded(source)) continue;
          const Lane lane = trial.lane(node, in, from);
          std::optional<Lane>& slot = graph.find(source) == graph.find(point) ? same : any;
          slot = slot ? either(*slot, lane) : lane;
        }
      }
      if (!same && !any) {
        trial.refuse(node, "cut_segment", "padding lanes appear that no input has");
        continue;
      }
      trial.set(node, out, axis, same ? *same : *any);
    }
  }
}

bool last_in_order(const Trial& trial, const Node& node, std::size_t slot, int axis, const std::vector<bool>& mixed) {
  const ClassGraph& graph = trial.graph();
  const LaneMap* map = trial.map(graph.input(node, slot, axis));
  if (map == nullptr || !map->suffix_only()) return false;
  for (int outer = 0; outer < axis; ++outer) {
    if (mixed[static_cast<std::size_t>(outer)] && graph.extent(graph.input(node, slot, outer)) != 1) return false;
  }
  return true;
}

bool below_all(const Lane& lane) {
  return lane.constant() && !lane.masked && lane.number() <= (lane.value.type == DType::f16 ? -65504.0 : -2.9e38);
}

}  // namespace aegis::padding
