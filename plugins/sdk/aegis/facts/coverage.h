/* Fact coverage, of the model: how much of it the cost model could count. */
#ifndef AEGIS_FACTS_COVERAGE_H
#define AEGIS_FACTS_COVERAGE_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_COVERAGE "aegis.fact.coverage/1"

/* A symbol that nodes wait for. */
typedef struct aegis_waiting {
  aegis_str symbol;
  uint32_t nodes;
  uint32_t zero;
} aegis_waiting;

typedef struct aegis_cause {
  aegis_absence absence;
  uint32_t nodes;
  aegis_str symbol; /* with UNKNOWN_DIM; else empty */
  aegis_node first;
  uint32_t zero;
} aegis_cause;

typedef struct aegis_coverage {
  uint32_t struct_size;
  uint32_t nodes_total, nodes_covered, nodes_unresolved;
  double flops_percent; /* a lower bound; NaN: nothing is known */
  aegis_list symbols;   /* aegis_waiting, most nodes first */
  aegis_list causes;    /* aegis_cause */
} aegis_coverage;

#ifdef __cplusplus
}
#endif

#endif
