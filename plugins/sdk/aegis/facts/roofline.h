/* Fact roofline, of a node or group: which limit decides. */
#ifndef AEGIS_FACTS_ROOFLINE_H
#define AEGIS_FACTS_ROOFLINE_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_ROOFLINE "aegis.fact.roofline/1"

enum {
  AEGIS_BOUND_UNKNOWN = 0,
  AEGIS_BOUND_COMPUTE = 1,
  AEGIS_BOUND_MEMORY = 2,
  AEGIS_BOUND_LAUNCH = 3,
  AEGIS_BOUND_FREE = 4 /* no kernel */
};

typedef struct aegis_roofline {
  uint32_t struct_size;
  aegis_dtype compute;
  uint32_t bound_fused, bound_op; /* AEGIS_BOUND_* */
  aegis_pair intensity;           /* FLOP/B */
  double ridge, peak_tflops;
  int64_t m_min;              /* smallest compute-bound M; 0: none, -1: unknown */
  aegis_answer worth_padding; /* intensity(fused) >= ridge / 2 */
  uint32_t zero;
} aegis_roofline;

#ifdef __cplusplus
}
#endif

#endif
