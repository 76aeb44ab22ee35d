#include "ops/lower.hpp"
#include "ops/lowering/reduce.hpp"

using namespace aegis;

AEGIS_OP(argmax) = {
    .name = "ArgMax",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::reduce_other,
    .risk = Risk::order,
    .lower = lower_arg<ReduceParams::Kind::argmax>,
};
