#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(split) = {
    .name = "Split",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::split,
    .risk = Risk::move,
};
