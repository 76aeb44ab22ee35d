#include "ops/lower.hpp"
#include "ops/lowering/reduce.hpp"

using namespace aegis;

AEGIS_OP(reduce_log_sum_exp) = {
    .name = "ReduceLogSumExp",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::reduce_other,
    .risk = Risk::range,
    .lower = lower_reduce<ReduceParams::Kind::log_sum_exp>,
};
