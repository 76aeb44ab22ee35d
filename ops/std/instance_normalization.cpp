#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(instance_normalization) = {
    .name = "InstanceNormalization",
    .cost = {.kind = CostClass::normalise, .flops = 8},
    .pad = PadRow::instance_norm,
    .risk = Risk::norm,
};
