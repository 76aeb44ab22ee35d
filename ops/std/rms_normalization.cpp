#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const Dims& dims = l.dims(l.in(0));
  const auto axis = static_cast<std::size_t>(l.axis(attribute(l.node(), "axis", std::int64_t{-1}), l.rank(l.in(0))));
  RowNormParams p{.kind = RowNormParams::Kind::rms};
  for (std::size_t i = 0; i < dims.size(); ++i) (i < axis ? p.outer : p.length) *= dims[i];
  p.epsilon = static_cast<double>(attribute(l.node(), "epsilon", 1e-5f));
  p.channels = p.length;
  SlotId scale = l.in(1);
  if (l.elements(scale) != p.length) {
    const Dims row(dims.begin() + static_cast<std::ptrdiff_t>(axis), dims.end());
    if (l.rank(scale) > static_cast<int>(row.size())) return l.reject("the scale has more axes than are normalised");
    const SlotId full = l.temp(l.type(scale), row);
    l.expand(scale, full);
    scale = full;
  }
  l.emit(p, {l.in(0), scale}, {l.out(0)});
}

}  // namespace

AEGIS_OP(rms_normalization) = {
    .name = "RMSNormalization",
    .cost = {.kind = CostClass::normalise, .flops = 5},
    .pad = PadRow::layer_norm,
    .risk = Risk::norm,
    .lower = lower_node,
};
