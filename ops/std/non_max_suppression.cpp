#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(non_max_suppression) = {
    .name = "NonMaxSuppression",
    .cost = {.kind = CostClass::host},
    .pad = PadRow::barrier,
    .risk = Risk::order,
};
