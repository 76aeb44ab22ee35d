#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(mean_variance_normalization) = {
    .name = "MeanVarianceNormalization",
    .cost = {.kind = CostClass::normalise, .flops = 8},
    .pad = PadRow::unknown,
    .risk = Risk::norm,
};
