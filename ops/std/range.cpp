#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(range) = {
    .name = "Range",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::position,
};
