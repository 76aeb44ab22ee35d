#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(gather_elements) = {
    .name = "GatherElements",
    .cost = {.kind = CostClass::take},
    .pad = PadRow::barrier,
    .risk = Risk::move,
};
