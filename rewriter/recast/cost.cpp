#include "rewriter/recast/cost.hpp"

#include <algorithm>

#include "model/attribute.hpp"
#include "ops/op.hpp"

namespace aegis::recast {
namespace {

constexpr std::int64_t most = std::int64_t{1} << 50;

std::int64_t times(std::int64_t a, std::int64_t b) {
  if (a == 0 || b == 0) return 0;
  return a > most / b ? most : a * b;
}

std::int64_t extent(const TypeTable& types, ValueId value, int axis) {
  const ValueType& type = types.of(value);
  if (!type.ranked()) return assumed_extent;
  if (axis < 0) axis += type.rank();
  if (axis < 0 || axis >= type.rank()) return 1;
  return (*type.dims)[static_cast<std::size_t>(axis)].value().value_or(assumed_extent);
}

std::int64_t largest_side(const TypeTable& types, const Node& node) {
  std::int64_t count = 1;
  for (const ValueId value : node.inputs) count = std::max(count, elements(types, value));
  for (const ValueId value : node.outputs) count = std::max(count, elements(types, value));
  return count;
}

// The extent that a product sums over.
std::int64_t depth(const TypeTable& types, const Node& node) {
  if (node.inputs.size() < 2 || node.inputs[0] == ValueId::none || node.inputs[1] == ValueId::none) return 1;
  if (node.op == "Gemm") {
    return extent(types, node.inputs[0], attribute(node, "transA", std::int64_t{0}) != 0 ? 0 : 1);
  }
  if (node.op == "MatMul") return extent(types, node.inputs[0], -1);
  if (node.op == "Conv" || node.op == "DeformConv") {
    const std::int64_t filters = std::max<std::int64_t>(1, extent(types, node.inputs[1], 0));
    return std::max<std::int64_t>(1, elements(types, node.inputs[1]) / filters);
  }
  if (node.op == "ConvTranspose") {  // each input element meets the filters of one group
    return std::max<std::int64_t>(
        1, elements(types, node.inputs[1]) / std::max<std::int64_t>(1, extent(types, node.inputs[1], 0)));
  }
  return assumed_extent;
}

}  // namespace

std::int64_t elements(const TypeTable& types, ValueId value) {
  if (value == ValueId::none) return 0;
  const ValueType& type = types.of(value);
  if (!type.ranked()) return assumed_extent * assumed_extent;
  std::int64_t count = 1;
  for (const Dim& dim : *type.dims) count = times(count, dim.value().value_or(assumed_extent));
  return count;
}

std::int64_t flops(const TypeTable& types, const Node& node) {
  if (!node.bodies.empty() || node.op == "Cast" || node.op == "CastLike") return 0;
  const Op* op = find_op(node.domain, node.op);
  const CostClass kind = op != nullptr ? op->cost.kind : CostClass::unknown;
  switch (kind) {
    case CostClass::movement:
    case CostClass::take:
    case CostClass::view:
    case CostClass::control:
    case CostClass::host: return 0;
    case CostClass::gemm:
    case CostClass::conv: {
      const std::size_t counted = node.op == "ConvTranspose" ? 0 : node.outputs.size();
      const ValueId base = counted > 0 ? node.outputs[0] : node.inputs[0];
      return std::max<std::int64_t>(1, times(2, times(elements(types, base), depth(types, node))));
    }
    default: break;
  }
  const double each = op != nullptr && op->cost.flops > 1 ? op->cost.flops : 1;
  return std::max<std::int64_t>(1, times(largest_side(types, node), static_cast<std::int64_t>(each)));
}

std::int64_t cast_bytes(const TypeTable& types, ValueId value) {
  constexpr std::int64_t per_element = 4 + 2;
  return std::max<std::int64_t>(1, times(elements(types, value), per_element));
}

}  // namespace aegis::recast
