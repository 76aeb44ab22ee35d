// RNN, GRU and LSTM: one product with all inputs, then the steps one after the other.
#pragma once

#include "ops/lower.hpp"

namespace aegis {

enum class Cell : std::uint8_t { rnn, gru, lstm };

void lower_recurrent(Lowering& l, Cell cell);
template <Cell cell>
void lower_recurrent(Lowering& l) {
  lower_recurrent(l, cell);
}

}  // namespace aegis
