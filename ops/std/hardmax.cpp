#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(hardmax) = {
    .name = "Hardmax",
    .cost = {.kind = CostClass::normalise, .flops = 1},
    .pad = PadRow::softmax,
    .risk = Risk::order,
};
