#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(log) = {
    .name = "Log",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::range,
    .lower = lower_unary<Fn::log>,
};
