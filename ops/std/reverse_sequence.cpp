#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(reverse_sequence) = {
    .name = "ReverseSequence",
    .cost = {.kind = CostClass::movement},
    .pad = PadRow::barrier,
    .risk = Risk::move,
};
