#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(matmul) = {
    .name = "MatMul",
    .cost = {.kind = CostClass::gemm},
    .pad = PadRow::matmul,
    .risk = Risk::gemm,
};
