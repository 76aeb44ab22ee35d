/* Fact training, of the model: what a backward pass stores or would store. Simulates the model. */
#ifndef AEGIS_FACTS_TRAINING_H
#define AEGIS_FACTS_TRAINING_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_TRAINING "aegis.fact.training/1"

typedef struct aegis_training_block {
  aegis_value gradient;
  uint32_t zero;
  aegis_nodes nodes;
  aegis_values leaves;
  double leaf_input_bytes;
} aegis_training_block;

typedef struct aegis_training {
  uint32_t struct_size;
  aegis_answer has_backward;
  aegis_value loss;
  uint32_t zero;
  double store_all_bytes, selective_bytes, full_block_bytes;
  double cheap_percent, selective_extra_percent, full_block_extra_percent; /* of FLOPs */
  aegis_list blocks;                                                       /* aegis_training_block */
} aegis_training;

#ifdef __cplusplus
}
#endif

#endif
