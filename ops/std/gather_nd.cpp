#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(gather_nd) = {
    .name = "GatherND",
    .cost = {.kind = CostClass::take},
    .pad = PadRow::barrier,
    .risk = Risk::move,
};
