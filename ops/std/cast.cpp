#include "ops/lowering/cast.hpp"

using namespace aegis;

AEGIS_OP(cast) = {
    .name = "Cast",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::cast,
    .lower = lower_cast,
};
