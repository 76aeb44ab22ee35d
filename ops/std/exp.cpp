#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(exp) = {
    .name = "Exp",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::range,
    .lower = lower_unary<Fn::exp>,
};
