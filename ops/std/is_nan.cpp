#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(is_nan) = {
    .name = "IsNaN",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
};
