#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(space_to_depth) = {
    .name = "SpaceToDepth",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::depth_to_space,
    .risk = Risk::move,
};
