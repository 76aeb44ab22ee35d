#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(global_lp_pool) = {
    .name = "GlobalLpPool",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::spatial,
    .risk = Risk::square,
};
