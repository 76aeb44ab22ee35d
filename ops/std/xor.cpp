#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(xor) = {
    .name = "Xor",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::none,
    .lower = lower_binary<Fn::logical_xor>,
};
