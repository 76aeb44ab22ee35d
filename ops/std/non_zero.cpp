#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(non_zero) = {
    .name = "NonZero",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::order,
};
