/* Fact lifetime, of a value: from when to when its buffer is live. Simulates the model. */
#ifndef AEGIS_FACTS_LIFETIME_H
#define AEGIS_FACTS_LIFETIME_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_LIFETIME "aegis.fact.lifetime/1"

enum {
  AEGIS_LIFETIME_VIEW = 1u << 0,
  AEGIS_LIFETIME_AT_PEAK = 1u << 1,
  AEGIS_LIFETIME_READ_AT_PEAK = 1u << 2,
  AEGIS_LIFETIME_OUTPUT = 1u << 3,
  AEGIS_LIFETIME_GRADIENT = 1u << 4
};

typedef struct aegis_lifetime {
  uint32_t struct_size;
  uint32_t flags;                   /* AEGIS_LIFETIME_* */
  uint32_t from, to;                /* positions in the order */
  aegis_value root;                 /* the value whose buffer it shares */
  aegis_node gap_after, gap_before; /* the readers around its longest wait */
  aegis_answer recomputable;
  double bytes, flops_per_element;
} aegis_lifetime;

#ifdef __cplusplus
}
#endif

#endif
