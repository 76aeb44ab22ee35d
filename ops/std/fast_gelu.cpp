#include "ops/lower.hpp"
#include "ops/lowering/biased.hpp"

using namespace aegis;

AEGIS_OP(fast_gelu) = {
    .name = "FastGelu",
    .domain = "com.microsoft",
    .cost = {.kind = CostClass::elementwise, .flops = 11},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_biased<Fn::gelu_tanh>,
};
