#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(or) = {
    .name = "Or",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::none,
    .lower = lower_binary<Fn::logical_or>,
};
