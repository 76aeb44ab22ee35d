#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(dropout) = {
    .name = "Dropout",
    .cost = {.kind = CostClass::view},
    .pad = PadRow::elementwise,
    .risk = Risk::map,
};
