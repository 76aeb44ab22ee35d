#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(equal) = {
    .name = "Equal",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::order,
    .lower = lower_binary<Fn::equal>,
};
