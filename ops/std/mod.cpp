#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(mod) = {
    .name = "Mod",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::order,
};
