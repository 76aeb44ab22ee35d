/* Fact reduction, of a node that folds many elements into one. */
#ifndef AEGIS_FACTS_REDUCTION_H
#define AEGIS_FACTS_REDUCTION_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_REDUCTION "aegis.fact.reduction/1"

enum {
  AEGIS_REDUCTION_SUM = 0,
  AEGIS_REDUCTION_MEAN = 1,
  AEGIS_REDUCTION_MAX = 2,
  AEGIS_REDUCTION_NORM = 3,
  AEGIS_REDUCTION_SCAN = 4
};

typedef struct aegis_reduction {
  uint32_t struct_size;
  uint32_t kind;    /* AEGIS_REDUCTION_* */
  uint32_t squares; /* 1: squares its elements first */
  uint32_t zero;
  aegis_dim n; /* elements that are folded into one */
} aegis_reduction;

#ifdef __cplusplus
}
#endif

#endif
