#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(flatten) = {
    .name = "Flatten",
    .cost = {.kind = CostClass::view},
    .pad = PadRow::flatten,
    .risk = Risk::move,
};
