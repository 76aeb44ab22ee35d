#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(identity) = {
    .name = "Identity",
    .cost = {.kind = CostClass::view},
    .pad = PadRow::elementwise,
    .risk = Risk::move,
    .lower = lower_alias,
};
