#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(gru) = {
    .name = "GRU",
    .cost = {.kind = CostClass::unknown},
    .pad = PadRow::rnn,
    .risk = Risk::rnn,
};
