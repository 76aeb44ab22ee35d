#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(concat) = {
    .name = "Concat",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::concat,
    .risk = Risk::move,
};
