// RMS normalisation under the name that ONNX Runtime's exporters give it, in ONNX's own domain without a schema.

#include "ops/lower.hpp"
#include "ops/lowering/skip_norm.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const std::int64_t axis = attribute(l.node(), "axis", std::int64_t{-1});
  if (axis != -1 && axis != l.rank(l.in(0)) - 1) return l.reject("axes before the last one are not handled");
  l.resolve(l.out(), l.type(l.in(0)), l.dims(l.in(0)));
  Dims rows = l.dims(l.in(0));
  if (!rows.empty()) rows.back() = 1;
  l.resolve(l.out(1), DType::f32, rows);
  if (l.has_output(1)) return l.reject("the deviation as an output is not handled");
  normalise_rows(l, RowNormParams::Kind::rms, l.in(0), l.in(1), no_slot, l.out());
}

}  // namespace

AEGIS_OP(simplified_layer_normalization) = {
    .name = "SimplifiedLayerNormalization",
    .cost = {.kind = CostClass::normalise, .flops = 6},
    .pad = PadRow::unknown,
    .risk = Risk::norm,
    .lower = lower_node,
};
