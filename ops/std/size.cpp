#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(size) = {
    .name = "Size",
    .cost = {.kind = CostClass::host},
    .pad = PadRow::barrier,
    .risk = Risk::move,
};
