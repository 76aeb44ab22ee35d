#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(bitwise_not) = {
    .name = "BitwiseNot",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::none,
    .lower = lower_unary<Fn::bit_not>,
};
