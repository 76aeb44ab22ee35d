#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(add) = {
    .name = "Add",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_binary<Fn::add>,
};
