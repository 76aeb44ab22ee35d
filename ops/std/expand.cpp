#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(expand) = {
    .name = "Expand",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::expand,
    .risk = Risk::move,
};
