#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(leaky_relu) = {
    .name = "LeakyRelu",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
};
