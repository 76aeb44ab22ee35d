#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(eye_like) = {
    .name = "EyeLike",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::move,
};
