#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(bitwise_not) = {
    .name = "BitwiseNot",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::none,
};
