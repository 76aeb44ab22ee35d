/* Fact range, of a value: what interval arithmetic proves about its elements. */
#ifndef AEGIS_FACTS_RANGE_H
#define AEGIS_FACTS_RANGE_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_RANGE "aegis.fact.range/1"

enum {
  AEGIS_RANGE_MAY_NAN = 1u << 0,
  AEGIS_RANGE_MAY_INF = 1u << 1,
  AEGIS_RANGE_INTEGER = 1u << 2,
  AEGIS_RANGE_NONZERO = 1u << 3,
  AEGIS_RANGE_USELESS = 1u << 4, /* too wide to conclude from */
  AEGIS_RANGE_UNBOUNDED = 1u << 5
};

typedef struct aegis_range {
  uint32_t struct_size;
  uint32_t flags; /* AEGIS_RANGE_* */
  aegis_interval all;
  double absmax, absmin;
  aegis_certainty certainty;
  uint32_t zero;
} aegis_range;

#ifdef __cplusplus
}
#endif

#endif
