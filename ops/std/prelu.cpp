#include "ops/lower.hpp"

using namespace aegis;

namespace {

// Before opset 7 a slope of one axis belongs to the channels.
void lower_node(Lowering& l) {
  SlotId slope = l.in(1);
  const auto rank = static_cast<std::size_t>(l.rank(l.in(0)));
  if (l.opset() < 7 && l.rank(slope) == 1 && rank > 2 && l.elements(slope) != 1) {
    Dims dims(rank - 1, 1);
    dims[0] = l.elements(slope);
    slope = l.view(slope, dims);
  }
  l.map(Fn::prelu, {l.in(0), slope}, l.out());
}

}  // namespace

AEGIS_OP(prelu) = {
    .name = "PRelu",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_node,
};
