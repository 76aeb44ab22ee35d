#include "ops/lowering/cast.hpp"

using namespace aegis;

AEGIS_OP(cast_like) = {
    .name = "CastLike",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::cast,
    .lower = lower_cast,
};
