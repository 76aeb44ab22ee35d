#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(conv_transpose) = {
    .name = "ConvTranspose",
    .cost = {.kind = CostClass::conv},
    .pad = PadRow::conv_transpose,
    .risk = Risk::gemm,
};
