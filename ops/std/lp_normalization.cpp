#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(lp_normalization) = {
    .name = "LpNormalization",
    .cost = {.kind = CostClass::normalise, .flops = 3},
    .pad = PadRow::unknown,
    .risk = Risk::square,
};
