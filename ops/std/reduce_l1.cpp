#include "ops/lower.hpp"
#include "ops/lowering/reduce.hpp"

using namespace aegis;

AEGIS_OP(reduce_l1) = {
    .name = "ReduceL1",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::reduce_sum,
    .risk = Risk::accum,
    .lower = lower_reduce<ReduceParams::Kind::l1>,
};
