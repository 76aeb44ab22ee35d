#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(hard_sigmoid) = {
    .name = "HardSigmoid",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
};
