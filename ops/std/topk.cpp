#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(topk) = {
    .name = "TopK",
    .cost = {.kind = CostClass::reduction, .flops = 1},
    .pad = PadRow::topk,
    .risk = Risk::order,
};
