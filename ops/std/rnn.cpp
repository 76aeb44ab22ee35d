#include "ops/op.hpp"

using namespace aegis;

AEGIS_OP(rnn) = {
    .name = "RNN",
    .cost = {.kind = CostClass::unknown},
    .pad = PadRow::rnn,
    .risk = Risk::rnn,
};
