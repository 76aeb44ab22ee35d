#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(conv) = {
    .name = "Conv",
    .cost = {.kind = CostClass::conv},
    .pad = PadRow::conv,
    .risk = Risk::gemm,
};
