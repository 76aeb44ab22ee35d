#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(unsqueeze) = {
    .name = "Unsqueeze",
    .cost = {.kind = CostClass::view},
    .pad = PadRow::unsqueeze,
    .risk = Risk::move,
};
