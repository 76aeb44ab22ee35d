#include "ops/lower.hpp"
#include "ops/lowering/recurrent.hpp"

using namespace aegis;

AEGIS_OP(lstm) = {
    .name = "LSTM",
    .cost = {.kind = CostClass::unknown},
    .pad = PadRow::rnn,
    .risk = Risk::rnn,
    .lower = lower_recurrent<Cell::lstm>,
};
