#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(dequantize_linear) = {
    .name = "DequantizeLinear",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::quantize,
    .risk = Risk::quant,
};
