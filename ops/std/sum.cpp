#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(sum) = {
    .name = "Sum",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_variadic<Fn::add>,
};
