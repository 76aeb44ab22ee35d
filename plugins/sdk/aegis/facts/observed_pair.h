/* Fact observed_pair, of an Add or Sub: how its operands met in a run on data. Needs AEGIS_RULE_DATA. */
#ifndef AEGIS_FACTS_OBSERVED_PAIR_H
#define AEGIS_FACTS_OBSERVED_PAIR_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_OBSERVED_PAIR "aegis.fact.observed_pair/1"

typedef struct aegis_observed_pair {
  uint32_t struct_size;
  uint32_t zero;
  double swamped_share;   /* elements with |b| < 2^-9 |a|, 0..1 */
  double cancelled_share; /* elements with |y| < 2^-7 max(|a|, |b|), 0..1 */
} aegis_observed_pair;

#ifdef __cplusplus
}
#endif

#endif
