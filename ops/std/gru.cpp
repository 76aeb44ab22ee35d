#include "ops/lower.hpp"
#include "ops/lowering/recurrent.hpp"

using namespace aegis;

AEGIS_OP(gru) = {
    .name = "GRU",
    .cost = {.kind = CostClass::unknown},
    .pad = PadRow::rnn,
    .risk = Risk::rnn,
    .lower = lower_recurrent<Cell::gru>,
};
