#include "ops/lower.hpp"
#include "ops/lowering/matmul.hpp"
#include "ops/lowering/quantize.hpp"

using namespace aegis;

namespace {

// Inputs: a, a_scale, a_zero_point, b, b_scale, b_zero_point, y_scale, y_zero_point. The integer product is rescaled in
// float.
void lower_node(Lowering& l) {
  const SlotId out = l.out();
  const SlotId product = l.temp(DType::i32, l.dims(out)), wide = l.temp(DType::f32, l.dims(out)),
               scaled = l.temp(DType::f32, l.dims(out));
  lower_centred_matmul(l, l.in(0), l.in(2), l.in(3), l.in(5), product);
  l.emit(MapParams{.fn = Fn::mul}, {product, against_matrix(l, l.in(1), true)}, {wide});
  l.map(Fn::mul, {wide, against_matrix(l, l.in(4), false)}, scaled);
  l.emit(MapParams{.fn = Fn::quantize}, {scaled, against_matrix(l, l.in(6), true), against_matrix(l, l.in(7), true)},
         {out});
}

}  // namespace

AEGIS_OP(qlinear_matmul) = {
    .name = "QLinearMatMul",
    .cost = {.kind = CostClass::gemm},
    .pad = PadRow::matmul,
    .risk = Risk::quant,
    .lower = lower_node,
};
