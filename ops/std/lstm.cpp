#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(lstm) = {
    .name = "LSTM",
    .cost = {.kind = CostClass::unknown},
    .pad = PadRow::rnn,
    .risk = Risk::rnn,
};
