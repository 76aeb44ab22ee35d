#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(one_hot) = {
    .name = "OneHot",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::move,
};
