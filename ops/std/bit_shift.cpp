#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(bit_shift) = {
    .name = "BitShift",
    .cost = {.kind = CostClass::elementwise, .flops = 1},
    .pad = PadRow::elementwise,
    .risk = Risk::none,
};
