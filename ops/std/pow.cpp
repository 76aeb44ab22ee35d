#include "ops/lower.hpp"

using namespace aegis;

namespace {

// The result has the base's type; an integer base under a fractional exponent is raised in double.
void lower_node(Lowering& l) {
  const bool mixed = is_float(l.type(l.in(1))) && !is_float(l.type(l.in(0)));
  if (!mixed) return lower_binary(l, Fn::pow);
  l.emit(MapParams{.fn = Fn::pow, .compute = Compute::f64}, {l.in(0), l.in(1)}, {l.out()});
}

}  // namespace

AEGIS_OP(pow) = {
    .name = "Pow",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::range,
    .lower = lower_node,
};
