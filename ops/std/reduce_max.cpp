#include "ops/lower.hpp"
#include "ops/lowering/reduce.hpp"

using namespace aegis;

AEGIS_OP(reduce_max) = {
    .name = "ReduceMax",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::reduce_other,
    .risk = Risk::map,
    .lower = lower_reduce<ReduceParams::Kind::max>,
};
