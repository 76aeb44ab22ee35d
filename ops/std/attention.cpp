#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(attention) = {
    .name = "Attention",
    .cost = {.kind = CostClass::unknown},
    .pad = PadRow::attention,
    .risk = Risk::gemm,
};
