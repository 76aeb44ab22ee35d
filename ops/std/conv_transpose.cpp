#include "ops/lower.hpp"
#include "ops/lowering/conv.hpp"

using namespace aegis;

AEGIS_OP(conv_transpose) = {
    .name = "ConvTranspose",
    .cost = {.kind = CostClass::conv},
    .pad = PadRow::conv_transpose,
    .risk = Risk::gemm,
    .lower = lower_conv<true>,
};
