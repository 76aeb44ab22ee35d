#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(lp_pool) = {
    .name = "LpPool",
    .cost = {.kind = CostClass::pool, .flops = 1},
    .pad = PadRow::spatial,
    .risk = Risk::square,
};
