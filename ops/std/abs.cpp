#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(abs) = {
    .name = "Abs",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_unary<Fn::abs>,
};
