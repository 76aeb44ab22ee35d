#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(is_nan) = {
    .name = "IsNaN",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_unary<Fn::is_nan>,
};
