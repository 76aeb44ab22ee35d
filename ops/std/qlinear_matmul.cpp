#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(qlinear_matmul) = {
    .name = "QLinearMatMul",
    .cost = {.kind = CostClass::gemm},
    .pad = PadRow::matmul,
    .risk = Risk::quant,
};
