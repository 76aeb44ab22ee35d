#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(greater) = {
    .name = "Greater",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::order,
};
