#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(squeeze) = {
    .name = "Squeeze",
    .cost = {.kind = CostClass::view},
    .pad = PadRow::squeeze,
    .risk = Risk::move,
    .lower = lower_alias,
};
