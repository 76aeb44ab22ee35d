#include "ops/lower.hpp"
#include "ops/lowering/pool.hpp"

using namespace aegis;

AEGIS_OP(lp_pool) = {
    .name = "LpPool",
    .cost = {.kind = CostClass::pool, .flops = 1},
    .pad = PadRow::spatial,
    .risk = Risk::square,
    .lower = lower_pool<PoolParams::Kind::lp>,
};
