#include "ops/lower.hpp"
#include "ops/lowering/biased.hpp"

using namespace aegis;

AEGIS_OP(ms_gelu) = {
    .name = "Gelu",
    .domain = "com.microsoft",
    .cost = {.kind = CostClass::elementwise, .flops = 9},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_biased<Fn::gelu>,
};
