#include "ops/lowering/matmul.hpp"
#include "ops/lower.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) { lower_matmul(l, l.in(0), l.in(1), l.out()); }

}  // namespace

AEGIS_OP(matmul) = {
    .name = "MatMul",
    .cost = {.kind = CostClass::gemm},
    .pad = PadRow::matmul,
    .risk = Risk::gemm,
    .lower = lower_node,
};
