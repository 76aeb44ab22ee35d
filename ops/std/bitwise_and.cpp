#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(bitwise_and) = {
    .name = "BitwiseAnd",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::none,
    .lower = lower_binary<Fn::bit_and>,
};
