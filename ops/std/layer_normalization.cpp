#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(layer_normalization) = {
    .name = "LayerNormalization",
    .cost = {.kind = CostClass::normalise, .flops = 8},
    .pad = PadRow::layer_norm,
    .risk = Risk::norm,
};
