#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(bitwise_xor) = {
    .name = "BitwiseXor",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::none,
    .lower = lower_binary<Fn::bit_xor>,
};
