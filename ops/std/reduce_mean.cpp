#include "ops/lower.hpp"
#include "ops/lowering/reduce.hpp"

using namespace aegis;

AEGIS_OP(reduce_mean) = {
    .name = "ReduceMean",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::reduce_other,
    .risk = Risk::accum,
    .lower = lower_reduce<ReduceParams::Kind::mean>,
};
