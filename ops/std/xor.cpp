#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(xor) = {
    .name = "Xor",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::none,
};
