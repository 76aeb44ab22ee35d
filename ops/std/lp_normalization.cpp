#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const Dims& dims = l.dims(l.in(0));
  const auto axis = static_cast<std::size_t>(l.axis(attribute(l.node(), "axis", std::int64_t{-1}), l.rank(l.in(0))));
  RowNormParams p{.kind = RowNormParams::Kind::lp};
  for (std::size_t i = 0; i < dims.size(); ++i) (i < axis ? p.outer : i == axis ? p.length : p.inner) *= dims[i];
  p.p = static_cast<int>(attribute(l.node(), "p", std::int64_t{2}));
  l.emit(p, {l.in(0)}, {l.out()});
}

}  // namespace

AEGIS_OP(lp_normalization) = {
    .name = "LpNormalization",
    .cost = {.kind = CostClass::normalise, .flops = 3},
    .pad = PadRow::unknown,
    .risk = Risk::square,
    .lower = lower_node,
};
