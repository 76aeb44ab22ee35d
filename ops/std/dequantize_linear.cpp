#include "ops/lower.hpp"
#include "ops/lowering/quantize.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const SlotId x = l.in(0), scale = against_data(l, l.in(1), x), zero = against_data(l, l.in(2), x);
  if (l.failed()) return;
  l.emit(MapParams{.fn = Fn::dequantize}, {x, scale, zero == no_slot ? l.scalar(DType::f32, 0) : zero}, {l.out()});
}

}  // namespace

AEGIS_OP(dequantize_linear) = {
    .name = "DequantizeLinear",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::quantize,
    .risk = Risk::quant,
    .lower = lower_node,
};
