#include "ops/lower.hpp"
#include "ops/lowering/reduce.hpp"

using namespace aegis;

AEGIS_OP(reduce_sum_square) = {
    .name = "ReduceSumSquare",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::reduce_sum,
    .risk = Risk::square,
    .lower = lower_reduce<ReduceParams::Kind::sum_square>,
};
