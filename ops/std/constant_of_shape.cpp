#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(constant_of_shape) = {
    .name = "ConstantOfShape",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::move,
};
