#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(pad) = {
    .name = "Pad",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::pad,
    .risk = Risk::move,
};
