#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(shape) = {
    .name = "Shape",
    .cost = {.kind = CostClass::host},
    .pad = PadRow::barrier,
    .risk = Risk::move,
};
