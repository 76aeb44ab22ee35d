#include "ops/lower.hpp"
#include "ops/lowering/pool.hpp"

using namespace aegis;

AEGIS_OP(average_pool) = {
    .name = "AveragePool",
    .cost = {.kind = CostClass::pool, .flops = 1},
    .pad = PadRow::spatial,
    .risk = Risk::accum,
    .lower = lower_pool<PoolParams::Kind::average>,
};
