#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(matmul_integer) = {
    .name = "MatMulInteger",
    .cost = {.kind = CostClass::gemm},
    .pad = PadRow::matmul,
    .risk = Risk::none,
};
