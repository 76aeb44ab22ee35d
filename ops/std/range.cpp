#include "ops/lower.hpp"

using namespace aegis;

namespace {

// start + i * delta, the count known from the values.
void lower_node(Lowering& l) {
  const SlotId out = l.out();
  const std::int64_t count = l.elements(out);
  Dims index;
  for (std::int64_t i = 0; i < count; ++i) index.push_back(i);
  const SlotId i = l.constant(from_integers({count}, index));
  l.map(Fn::mul_add, {i, l.in(2), l.in(0)}, out);
}

}  // namespace

AEGIS_OP(range) = {
    .name = "Range",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::position,
    .lower = lower_node,
};
