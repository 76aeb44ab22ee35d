#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(log) = {
    .name = "Log",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::range,
};
