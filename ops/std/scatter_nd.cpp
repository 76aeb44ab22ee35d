#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(scatter_nd) = {
    .name = "ScatterND",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::move,
};
