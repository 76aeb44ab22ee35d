#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(celu) = {
    .name = "Celu",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
};
