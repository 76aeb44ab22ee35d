#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(constant) = {
    .name = "Constant",
    .cost = {.kind = CostClass::host},
    .pad = PadRow::constant,
    .risk = Risk::move,
};
