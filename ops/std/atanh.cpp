#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(atanh) = {
    .name = "Atanh",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::range,
    .lower = lower_unary<Fn::atanh>,
};
