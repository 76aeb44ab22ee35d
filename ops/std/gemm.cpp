#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(gemm) = {
    .name = "Gemm",
    .cost = {.kind = CostClass::gemm},
    .pad = PadRow::gemm,
    .risk = Risk::gemm,
};
