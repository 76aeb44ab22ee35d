#include "ops/lowering/skip_norm.hpp"

namespace aegis {

void normalise_rows(Lowering& l, RowNormParams::Kind kind, SlotId x, SlotId scale, SlotId bias, SlotId out, SlotId mean,
                    SlotId inverse_deviation) {
  const Dims& dims = l.dims(x);
  if (dims.empty()) return l.reject("at least one axis is needed");
  RowNormParams p{.kind = kind, .length = dims.back()};
  p.outer = p.length > 0 ? l.elements(x) / p.length : 0;
  p.channels = p.length;
  p.epsilon = static_cast<double>(attribute(l.node(), "epsilon", 1e-5f));
  for (const SlotId each : {scale, bias})
    if (each != no_slot && l.elements(each) != p.length)
      return l.reject("scale and bias must have one element per lane of the last axis");
  l.emit(p, {x, scale, bias}, {out, mean, inverse_deviation});
}

void lower_skip_norm(Lowering& l, RowNormParams::Kind kind) {
  const bool layer = kind == RowNormParams::Kind::layer;
  const SlotId x = l.in(0), shift = layer ? l.in(3) : no_slot, bias = l.in(layer ? 4 : 3);
  const Dims& dims = l.dims(x);
  const DType between = storage_type(compute_type(l.type(x)));
  SlotId sum = l.temp(between, dims);
  l.map(Fn::add, {x, l.in(1)}, sum);
  if (bias != no_slot) {
    const SlotId more = l.temp(between, dims);
    l.map(Fn::add, {sum, bias}, more);
    sum = more;
  }
  Dims rows = dims;
  if (!rows.empty()) rows.back() = 1;
  l.resolve(l.out(0), l.type(x), dims);
  l.resolve(l.out(1), DType::f32, rows);
  l.resolve(l.out(2), DType::f32, rows);
  l.resolve(l.out(3), l.type(x), dims);
  normalise_rows(l, kind, sum, l.in(2), shift, l.out(0), l.out(1), l.out(2));
  if (l.has_output(3)) l.map(Fn::identity, {sum}, l.out(3));
}

}  // namespace aegis
