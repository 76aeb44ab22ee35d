/* Fact weight_stats, of a constant. Needs AEGIS_RULE_WEIGHTS. */
#ifndef AEGIS_FACTS_WEIGHT_STATS_H
#define AEGIS_FACTS_WEIGHT_STATS_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_WEIGHT_STATS "aegis.fact.weight_stats/1"

/* What rounding the constant to a narrow type does. */
typedef struct aegis_narrowing {
  double overflowed, flushed, subnormal; /* elements */
  double flushed_channel_share;          /* channels that become all zero, 0..1 */
  double subnormal_l1_share;             /* of a channel's sum of magnitudes, the worst channel, 0..1 */
  double centred_rel_l2;                 /* relative L2 error after the channel's mean is taken out */
} aegis_narrowing;

typedef struct aegis_weight_stats {
  uint32_t struct_size;
  int32_t channel_axis;                                     /* -1: none */
  double count, min, max, absmax, absmin, zeros, nonfinite; /* absmin: of the elements that are not 0 */
  aegis_narrowing fp16, bf16;
} aegis_weight_stats;

#ifdef __cplusplus
}
#endif

#endif
