#include "ops/lower.hpp"

using namespace aegis;

namespace {

// Bounds are attributes before opset 11, then optional inputs.
void lower_node(Lowering& l) {
  const SlotId x = l.in(0);
  SlotId low = l.in(1), high = l.in(2);
  if (l.opset() < 11) {
    if (has_attribute(l.node(), "min"))
      low = l.scalar(l.type(x), static_cast<double>(attribute(l.node(), "min", 0.0f)));
    if (has_attribute(l.node(), "max"))
      high = l.scalar(l.type(x), static_cast<double>(attribute(l.node(), "max", 0.0f)));
  }
  if (low != no_slot && high != no_slot) return l.map(Fn::clip, {x, low, high}, l.out());
  if (low != no_slot) return l.map(Fn::max, {x, low}, l.out());
  if (high != no_slot) return l.map(Fn::min, {x, high}, l.out());
  l.map(Fn::identity, {x}, l.out());
}

}  // namespace

AEGIS_OP(clip) = {
    .name = "Clip",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_node,
};
