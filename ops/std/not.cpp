#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(not) = {
    .name = "Not",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::none,
    .lower = lower_unary<Fn::logical_not>,
};
