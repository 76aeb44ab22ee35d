#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const SlotId out = l.out();
  const auto axis = static_cast<std::size_t>(l.axis(attribute(l.node(), "axis", std::int64_t{1}), l.rank(out)));
  Dims at(l.dims(out).size(), 0);
  for (std::size_t i = 0; i < l.inputs(); ++i) {
    if (l.elements(l.in(i)) > 0) l.place(l.in(i), out, at);
    if (axis < l.dims(l.in(i)).size()) at[axis] += l.dims(l.in(i))[axis];
  }
  if (l.elements(out) == 0) l.fill(l.scalar(l.type(out), 0), out);
}

}  // namespace

AEGIS_OP(concat) = {
    .name = "Concat",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::concat,
    .risk = Risk::move,
    .lower = lower_node,
};
