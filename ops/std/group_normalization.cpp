#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(group_normalization) = {
    .name = "GroupNormalization",
    .cost = {.kind = CostClass::normalise, .flops = 8},
    .pad = PadRow::group_norm,
    .risk = Risk::norm,
};
