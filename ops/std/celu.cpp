#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) { l.map(Fn::celu, {l.in(0)}, l.out(), {attribute(l.node(), "alpha", 1.0f)}); }

}  // namespace

AEGIS_OP(celu) = {
    .name = "Celu",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_node,
};
