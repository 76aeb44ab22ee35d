#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(less) = {
    .name = "Less",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::order,
    .lower = lower_binary<Fn::less>,
};
