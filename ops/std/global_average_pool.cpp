#include "ops/lower.hpp"
#include "ops/lowering/reduce.hpp"

using namespace aegis;

AEGIS_OP(global_average_pool) = {
    .name = "GlobalAveragePool",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::spatial,
    .risk = Risk::accum,
    .lower = lower_global_pool<ReduceParams::Kind::mean>,
};
