#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(softsign) = {
    .name = "Softsign",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
    .lower = lower_unary<Fn::softsign>,
};
