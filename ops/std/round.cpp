#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(round) = {
    .name = "Round",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::order,
    .lower = lower_unary<Fn::round>,
};
