#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(quantize_linear) = {
    .name = "QuantizeLinear",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::quantize,
    .risk = Risk::quant,
};
