#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(trilu) = {
    .name = "Trilu",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::move,
};
