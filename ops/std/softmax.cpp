#include "ops/lower.hpp"
#include "ops/lowering/softmax.hpp"

using namespace aegis;

AEGIS_OP(softmax) = {
    .name = "Softmax",
    .cost = {.kind = CostClass::normalise, .flops = 5},
    .pad = PadRow::softmax,
    .risk = Risk::softmax,
    .lower = lower_softmax<RowNormParams::Kind::softmax>,
};
