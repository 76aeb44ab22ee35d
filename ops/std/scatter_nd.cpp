#include "ops/lower.hpp"
#include "ops/lowering/scatter.hpp"

using namespace aegis;

AEGIS_OP(scatter_nd) = {
    .name = "ScatterND",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::move,
    .lower = lower_scatter_nd,
};
