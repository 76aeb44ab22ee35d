#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(scatter_elements) = {
    .name = "ScatterElements",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::move,
};
