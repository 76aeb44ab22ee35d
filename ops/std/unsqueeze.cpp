#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(unsqueeze) = {
    .name = "Unsqueeze",
    .cost = {.kind = CostClass::view},
    .pad = PadRow::unsqueeze,
    .risk = Risk::move,
    .lower = lower_alias,
};
