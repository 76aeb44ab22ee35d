#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const SlotId in = l.in(0);
  const auto axis = static_cast<std::size_t>(l.axis(attribute(l.node(), "axis", std::int64_t{0}), l.rank(in)));
  Dims start(l.dims(in).size(), 0);
  const Dims step(start.size(), 1);
  for (std::size_t i = 0; i < l.outputs(); ++i) {
    if (!l.has_output(i)) return l.reject("an output is missing");
    l.take(in, l.out(i), start, step);
    start[axis] += l.dims(l.out(i))[axis];
  }
}

}  // namespace

AEGIS_OP(split) = {
    .name = "Split",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::split,
    .risk = Risk::move,
    .lower = lower_node,
};
