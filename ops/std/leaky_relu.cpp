#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) { l.map(Fn::leaky_relu, {l.in(0)}, l.out(), {attribute(l.node(), "alpha", 0.01f)}); }

}  // namespace

AEGIS_OP(leaky_relu) = {
    .name = "LeakyRelu",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_node,
};
