#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(identity) = {
    .name = "Identity",
    .cost = {.kind = CostClass::view},
    .pad = PadRow::elementwise,
    .risk = Risk::move,
};
