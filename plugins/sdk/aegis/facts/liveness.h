/* Fact liveness, of the model or a scope: which activation buffers are live at once. Simulates the model. */
#ifndef AEGIS_FACTS_LIVENESS_H
#define AEGIS_FACTS_LIVENESS_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_LIVENESS "aegis.fact.liveness/1"

typedef struct aegis_live_value {
  aegis_value value;
  uint32_t zero;
  double bytes;
} aegis_live_value;

typedef struct aegis_liveness {
  uint32_t struct_size;
  uint32_t order; /* AEGIS_ORDER_* */
  double peak_bytes, peak_file_bytes, peak_ort_bytes, lower_bound_bytes, weight_bytes;
  aegis_node peak;
  uint32_t zero;
  aegis_list at_peak; /* aegis_live_value, largest first */
  aegis_list symbols; /* aegis_str: symbols that leave sizes open */
  aegis_values unsized_values;
  aegis_nodes early_roots;
} aegis_liveness;

#ifdef __cplusplus
}
#endif

#endif
