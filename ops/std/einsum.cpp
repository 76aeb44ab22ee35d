#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(einsum) = {
    .name = "Einsum",
    .cost = {.kind = CostClass::gemm},
    .pad = PadRow::einsum,
    .risk = Risk::gemm,
};
