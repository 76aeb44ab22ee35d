#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(reshape) = {
    .name = "Reshape",
    .cost = {.kind = CostClass::view},
    .pad = PadRow::reshape,
    .risk = Risk::move,
    .lower = lower_alias,
};
