#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(lrn) = {
    .name = "LRN",
    .cost = {.kind = CostClass::normalise, .flops = 5},
    .pad = PadRow::lrn,
    .risk = Risk::square,
};
