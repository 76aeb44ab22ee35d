#include "ops/lower.hpp"
#include "ops/lowering/biased.hpp"

using namespace aegis;

AEGIS_OP(bias_gelu) = {
    .name = "BiasGelu",
    .domain = "com.microsoft",
    .cost = {.kind = CostClass::elementwise, .flops = 10},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_biased<Fn::gelu>,
};
