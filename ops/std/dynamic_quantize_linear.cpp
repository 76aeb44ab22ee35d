#include "ops/lower.hpp"

using namespace aegis;

namespace {

// The range is widened to hold 0; scale = range / 255, zero point = round(-low / scale).
void lower_node(Lowering& l) {
  const SlotId x = l.in(0), zero = l.scalar(DType::f32, 0);
  const auto extreme = [&](ReduceParams::Kind kind, Fn fn) {
    const SlotId most = l.temp(DType::f32, {}), bounded = l.temp(DType::f32, {});
    l.emit(ReduceParams{.kind = kind, .axes = (1u << l.rank(x)) - 1u}, {x}, {most});
    l.map(fn, {most, zero}, bounded);
    return bounded;
  };
  if (l.rank(x) > 31) return l.reject("rank above 31");
  const SlotId low = extreme(ReduceParams::Kind::min, Fn::min), high = extreme(ReduceParams::Kind::max, Fn::max);
  const SlotId range = l.temp(DType::f32, {}), down = l.temp(DType::f32, {});
  l.map(Fn::sub, {high, low}, range);
  l.map(Fn::divide_by, {range}, l.out(1), {255.0});
  l.map(Fn::neg, {low}, down);
  l.emit(MapParams{.fn = Fn::quantize}, {down, l.out(1), zero}, {l.out(2)});
  l.emit(MapParams{.fn = Fn::quantize}, {x, l.out(1), l.out(2)}, {l.out(0)});
}

}  // namespace

AEGIS_OP(dynamic_quantize_linear) = {
    .name = "DynamicQuantizeLinear",
    .cost = {.kind = CostClass::reduction, .flops = 2},
    .pad = PadRow::quantize,
    .risk = Risk::fixed,
    .lower = lower_node,
};
