#include "ops/lowering/softmax.hpp"
#include "ops/lower.hpp"

using namespace aegis;

AEGIS_OP(softmax) = {
    .name = "Softmax",
    .cost = {.kind = CostClass::normalise, .flops = 5},
    .pad = PadRow::softmax,
    .risk = Risk::softmax,
    .lower = lower_softmax<RowNormParams::Kind::softmax>,
};
