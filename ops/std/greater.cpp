#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(greater) = {
    .name = "Greater",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::order,
    .lower = lower_binary<Fn::greater>,
};
