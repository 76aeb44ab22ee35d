#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(loop) = {
    .name = "Loop",
    .cost = {.kind = CostClass::control},
    .pad = PadRow::barrier,
    .risk = Risk::control,
};
