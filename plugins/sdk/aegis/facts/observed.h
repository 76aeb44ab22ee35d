/* Fact observed, of a value: what a run on data showed. Needs AEGIS_RULE_DATA. */
#ifndef AEGIS_FACTS_OBSERVED_H
#define AEGIS_FACTS_OBSERVED_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_OBSERVED "aegis.fact.observed/1"

typedef struct aegis_observed {
  uint32_t struct_size;
  uint32_t zero;
  aegis_interval all;
  double absmax, median_abs, min_variance;
  double outlier_channels_percent; /* channels that hold an element above 1000 medians */
  double nonfinite;                /* elements */
} aegis_observed;

#ifdef __cplusplus
}
#endif

#endif
