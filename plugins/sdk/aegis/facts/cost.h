/* Fact cost, of a node, group, scope or the model. Predicted, from shapes alone. */
#ifndef AEGIS_FACTS_COST_H
#define AEGIS_FACTS_COST_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_COST "aegis.fact.cost/1"

typedef struct aegis_cost {
  uint32_t struct_size;
  uint32_t unknown_nodes;   /* nodes that are in no sum */
  double flops;             /* FLOP */
  double weight_bytes;      /* B read from constants */
  double l2_resident_bytes; /* B of intermediates that may stay in L2; not subtracted */
  aegis_pair bytes, time_us, launch_us, kernels;
  aegis_pair percent; /* of the model's predicted time in the same regime, 0..100 */
} aegis_cost;

#ifdef __cplusplus
}
#endif

#endif
