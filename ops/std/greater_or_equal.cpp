#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(greater_or_equal) = {
    .name = "GreaterOrEqual",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::order,
    .lower = lower_binary<Fn::greater_equal>,
};
