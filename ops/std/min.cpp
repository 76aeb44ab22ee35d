#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(min) = {
    .name = "Min",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_variadic<Fn::min>,
};
