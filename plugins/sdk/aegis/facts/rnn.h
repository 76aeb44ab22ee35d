/* Fact rnn, of a node: LSTM, GRU or RNN. */
#ifndef AEGIS_FACTS_RNN_H
#define AEGIS_FACTS_RNN_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_RNN "aegis.fact.rnn/1"

typedef struct aegis_rnn {
  uint32_t struct_size;
  uint32_t gates, directions;
  aegis_dtype compute;
  aegis_extent input, hidden, steps, batch;
} aegis_rnn;

#ifdef __cplusplus
}
#endif

#endif
