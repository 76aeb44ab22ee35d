#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(elu) = {
    .name = "Elu",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
};
