#include "ops/lower.hpp"
#include "ops/lowering/reduce.hpp"

using namespace aegis;

AEGIS_OP(reduce_l2) = {
    .name = "ReduceL2",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::reduce_sum,
    .risk = Risk::square,
    .lower = lower_reduce<ReduceParams::Kind::l2>,
};
