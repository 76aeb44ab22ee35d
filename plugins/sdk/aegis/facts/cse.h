/* Fact cse, of a node: does an earlier node compute the same. */
#ifndef AEGIS_FACTS_CSE_H
#define AEGIS_FACTS_CSE_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_CSE "aegis.fact.cse/1"

typedef struct aegis_cse {
  uint32_t struct_size;
  uint32_t exempt; /* 1: may not be merged (random, side effects) */
  uint64_t key;
  aegis_node first;  /* the earliest node of this key */
  uint32_t distance; /* nodes between */
  aegis_node recompute_of;
  uint32_t zero;
} aegis_cse;

#ifdef __cplusplus
}
#endif

#endif
