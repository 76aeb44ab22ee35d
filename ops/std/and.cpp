#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(and) = {
    .name = "And",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::none,
};
