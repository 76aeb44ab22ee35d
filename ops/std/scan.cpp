#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(scan) = {
    .name = "Scan",
    .cost = {.kind = CostClass::control},
    .pad = PadRow::barrier,
    .risk = Risk::control,
};
