#include "ops/lower.hpp"
#include "ops/lowering/softmax.hpp"

using namespace aegis;

AEGIS_OP(hardmax) = {
    .name = "Hardmax",
    .cost = {.kind = CostClass::normalise, .flops = 1},
    .pad = PadRow::softmax,
    .risk = Risk::order,
    .lower = lower_softmax<RowNormParams::Kind::hardmax>,
};
