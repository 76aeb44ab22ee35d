#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(dynamic_quantize_linear) = {
    .name = "DynamicQuantizeLinear",
    .cost = {.kind = CostClass::reduction, .flops = 2},
    .pad = PadRow::quantize,
    .risk = Risk::fixed,
};
