#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(tile) = {
    .name = "Tile",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::tile,
    .risk = Risk::move,
};
