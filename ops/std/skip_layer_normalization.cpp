#include "ops/lower.hpp"
#include "ops/lowering/skip_norm.hpp"

using namespace aegis;

AEGIS_OP(skip_layer_normalization) = {
    .name = "SkipLayerNormalization",
    .domain = "com.microsoft",
    .cost = {.kind = CostClass::normalise, .flops = 9},
    .pad = PadRow::unknown,
    .risk = Risk::norm,
    .lower = lower_skip_norm<RowNormParams::Kind::layer>,
};
