#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(average_pool) = {
    .name = "AveragePool",
    .cost = {.kind = CostClass::pool, .flops = 1},
    .pad = PadRow::spatial,
    .risk = Risk::accum,
};
