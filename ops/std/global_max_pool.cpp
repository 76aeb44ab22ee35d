#include "ops/lower.hpp"
#include "ops/lowering/reduce.hpp"

using namespace aegis;

AEGIS_OP(global_max_pool) = {
    .name = "GlobalMaxPool",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::spatial,
    .risk = Risk::map,
    .lower = lower_global_pool<ReduceParams::Kind::max>,
};
