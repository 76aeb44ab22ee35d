#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(reduce_sum_square) = {
    .name = "ReduceSumSquare",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::reduce_sum,
    .risk = Risk::square,
};
