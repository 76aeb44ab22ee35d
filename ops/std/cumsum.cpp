#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(cumsum) = {
    .name = "CumSum",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::cumsum,
    .risk = Risk::accum,
};
