#include "ops/lower.hpp"
#include "ops/lowering/pool.hpp"

using namespace aegis;

AEGIS_OP(max_pool) = {
    .name = "MaxPool",
    .cost = {.kind = CostClass::pool, .flops = 1},
    .pad = PadRow::spatial,
    .risk = Risk::map,
    .lower = lower_pool<PoolParams::Kind::max>,
};
