#include "ops/lower.hpp"
#include "ops/lowering/matmul.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) { lower_centred_matmul(l, l.in(0), l.in(2), l.in(1), l.in(3), l.out()); }

}  // namespace

AEGIS_OP(matmul_integer) = {
    .name = "MatMulInteger",
    .cost = {.kind = CostClass::gemm},
    .pad = PadRow::matmul,
    .risk = Risk::none,
    .lower = lower_node,
};
