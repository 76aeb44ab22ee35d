#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(erf) = {
    .name = "Erf",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
};
