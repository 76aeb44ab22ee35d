#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(global_max_pool) = {
    .name = "GlobalMaxPool",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::spatial,
    .risk = Risk::map,
};
