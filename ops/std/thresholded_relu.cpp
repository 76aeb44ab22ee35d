#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(thresholded_relu) = {
    .name = "ThresholdedRelu",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
};
