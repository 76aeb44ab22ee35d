#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(transpose) = {
    .name = "Transpose",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::transpose,
    .risk = Risk::move,
};
