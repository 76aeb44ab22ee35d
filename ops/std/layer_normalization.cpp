#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const Dims& dims = l.dims(l.in(0));
  const auto axis = static_cast<std::size_t>(l.axis(attribute(l.node(), "axis", std::int64_t{-1}), l.rank(l.in(0))));
  RowNormParams p{.kind = RowNormParams::Kind::layer};
  for (std::size_t i = 0; i < dims.size(); ++i) (i < axis ? p.outer : p.length) *= dims[i];
  p.epsilon = static_cast<double>(attribute(l.node(), "epsilon", 1e-5f));
  p.channels = p.length;
  // Scale and bias broadcast to the row; the kernel wants one of each per element.
  const Dims row(dims.begin() + static_cast<std::ptrdiff_t>(axis), dims.end());
  const auto whole = [&](std::size_t input) {
    if (!l.has(input) || l.elements(l.in(input)) == p.length) return l.in(input);
    if (l.rank(l.in(input)) > static_cast<int>(row.size())) {
      l.reject("scale or bias has more axes than are normalised");
      return l.in(input);
    }
    const SlotId full = l.temp(l.type(l.in(input)), row);
    l.expand(l.in(input), full);
    return full;
  };
  l.emit(p, {l.in(0), whole(1), whole(2)}, {l.out(0), l.out(1), l.out(2)});
}

}  // namespace

AEGIS_OP(layer_normalization) = {
    .name = "LayerNormalization",
    .cost = {.kind = CostClass::normalise, .flops = 8},
    .pad = PadRow::layer_norm,
    .risk = Risk::norm,
    .lower = lower_node,
};
