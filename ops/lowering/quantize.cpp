#include "ops/lowering/quantize.hpp"

#include <algorithm>

namespace aegis {

SlotId against_data(Lowering& l, SlotId operand, SlotId data) {
  if (operand == no_slot || l.elements(operand) == 1) return operand;
  const int axis = l.axis(attribute(l.node(), "axis", std::int64_t{1}), l.rank(data));
  if (l.failed()) return operand;
  if (l.rank(operand) == 1) {
    Dims dims(l.dims(data).size() - static_cast<std::size_t>(axis), 1);
    dims[0] = l.elements(operand);
    return l.view(operand, dims);
  }
  const std::int64_t block = attribute(l.node(), "block_size", std::int64_t{0});
  if (block < 1 || l.rank(operand) != l.rank(data)) {
    l.reject("scales of this shape need a block_size");
    return operand;
  }
  Dims dims = l.dims(operand), index;
  const std::int64_t extent = l.dims(data)[static_cast<std::size_t>(axis)],
                     blocks = dims[static_cast<std::size_t>(axis)];
  for (std::int64_t i = 0; i < extent; ++i) index.push_back(std::min(i / block, blocks - 1));
  dims[static_cast<std::size_t>(axis)] = extent;
  const SlotId spread = l.temp(bits(l.type(operand)) % 8 == 0 ? l.type(operand) : DType::i8, dims);
  SlotId source = operand;
  if (l.type(spread) != l.type(operand)) {  // packed elements cannot be picked one by one
    source = l.temp(DType::i8, l.dims(operand));
    l.map(Fn::identity, {operand}, source);
  }
  l.emit(GatherParams{.axis = axis}, {source, l.constant(from_integers({extent}, index))}, {spread});
  return spread;
}

SlotId against_matrix(Lowering& l, SlotId operand, bool rows) {
  if (operand == no_slot || l.rank(operand) != 1 || l.elements(operand) == 1 || !rows) return operand;
  return l.view(operand, {l.elements(operand), 1});
}

}  // namespace aegis
