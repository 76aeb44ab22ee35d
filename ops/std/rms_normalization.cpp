#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(rms_normalization) = {
    .name = "RMSNormalization",
    .cost = {.kind = CostClass::normalise, .flops = 5},
    .pad = PadRow::layer_norm,
    .risk = Risk::norm,
};
