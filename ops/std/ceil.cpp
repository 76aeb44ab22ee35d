#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(ceil) = {
    .name = "Ceil",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::order,
    .lower = lower_unary<Fn::ceil>,
};
