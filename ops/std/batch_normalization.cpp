#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(batch_normalization) = {
    .name = "BatchNormalization",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::batch_norm,
    .risk = Risk::norm,
};
