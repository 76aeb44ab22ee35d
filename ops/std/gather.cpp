#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(gather) = {
    .name = "Gather",
    .cost = {.kind = CostClass::take},
    .pad = PadRow::gather,
    .risk = Risk::move,
};
