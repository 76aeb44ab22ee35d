#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(max) = {
    .name = "Max",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_variadic<Fn::max>,
};
