#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(conv_integer) = {
    .name = "ConvInteger",
    .cost = {.kind = CostClass::conv},
    .pad = PadRow::conv,
    .risk = Risk::none,
};
