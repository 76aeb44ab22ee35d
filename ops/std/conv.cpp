#include "ops/lowering/conv.hpp"
#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(conv) = {
    .name = "Conv",
    .cost = {.kind = CostClass::conv},
    .pad = PadRow::conv,
    .risk = Risk::gemm,
    .lower = lower_conv<false>,
};
