#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(and) = {
    .name = "And",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::none,
    .lower = lower_binary<Fn::logical_and>,
};
