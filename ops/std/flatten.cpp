#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(flatten) = {
    .name = "Flatten",
    .cost = {.kind = CostClass::view},
    .pad = PadRow::flatten,
    .risk = Risk::move,
    .lower = lower_alias,
};
