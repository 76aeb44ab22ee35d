#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(argmax) = {
    .name = "ArgMax",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::reduce_other,
    .risk = Risk::order,
};
