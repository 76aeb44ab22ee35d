#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(depth_to_space) = {
    .name = "DepthToSpace",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::depth_to_space,
    .risk = Risk::move,
};
