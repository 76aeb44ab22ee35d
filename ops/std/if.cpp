#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(if) = {
    .name = "If",
    .cost = {.kind = CostClass::control},
    .pad = PadRow::barrier,
    .risk = Risk::control,
};
