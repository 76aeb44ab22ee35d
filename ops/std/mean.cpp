#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(mean) = {
    .name = "Mean",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::accum,
};
