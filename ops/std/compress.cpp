#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(compress) = {
    .name = "Compress",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::move,
};
