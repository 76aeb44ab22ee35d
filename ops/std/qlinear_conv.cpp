#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(qlinear_conv) = {
    .name = "QLinearConv",
    .cost = {.kind = CostClass::conv},
    .pad = PadRow::conv,
    .risk = Risk::fixed,
};
