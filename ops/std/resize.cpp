#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(resize) = {
    .name = "Resize",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::spatial,
    .risk = Risk::map,
};
