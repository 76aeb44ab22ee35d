#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(slice) = {
    .name = "Slice",
    .cost = {.kind = CostClass::take},
    .pad = PadRow::slice,
    .risk = Risk::move,
};
