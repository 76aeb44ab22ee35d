#include "ops/lower.hpp"
#include "ops/lowering/quantize.hpp"

using namespace aegis;

namespace {

// round(x / scale) + zero point for integers, which the store saturates; x / scale for small floats.
void lower_node(Lowering& l) {
  const SlotId x = l.in(0), scale = against_data(l, l.in(1), x), zero = against_data(l, l.in(2), x);
  if (l.failed()) return;
  if (!is_float(l.type(l.out())))
    return l.emit(MapParams{.fn = Fn::quantize}, {x, scale, zero == no_slot ? l.scalar(DType::f32, 0) : zero},
                  {l.out()});
  const SlotId quotient = l.temp(DType::f32, l.dims(x));
  l.map(Fn::div, {x, scale}, quotient);
  if (zero != no_slot && l.type(l.out()) == DType::f4e2m1) return l.map(Fn::add, {quotient, zero}, l.out());
  const bool saturate = attribute(l.node(), "saturate", std::int64_t{1}) != 0;
  l.map(Fn::identity, {quotient}, l.out(), {saturate ? 0.0 : 1.0});
}

}  // namespace

AEGIS_OP(quantize_linear) = {
    .name = "QuantizeLinear",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::quantize,
    .risk = Risk::quant,
    .lower = lower_node,
};
