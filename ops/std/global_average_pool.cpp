#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(global_average_pool) = {
    .name = "GlobalAveragePool",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::spatial,
    .risk = Risk::accum,
};
