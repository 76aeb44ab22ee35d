#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(is_inf) = {
    .name = "IsInf",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
};
