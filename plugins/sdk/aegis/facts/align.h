/* Fact align, of a GEMM or convolution: dims against the multiples that its compute type wants. */
#ifndef AEGIS_FACTS_ALIGN_H
#define AEGIS_FACTS_ALIGN_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_ALIGN "aegis.fact.align/1"

typedef struct aegis_align {
  uint32_t struct_size;
  uint32_t kind;      /* AEGIS_ALIGN_* */
  uint32_t dims;      /* dim bits that lie contiguous */
  uint32_t off_tier1; /* those that are no multiple of tier1 */
  uint32_t off_tier2;
  uint32_t maybe;              /* those that cannot be told */
  int64_t tier1, tier2;        /* elements */
  double e_low, e_now, e_high; /* predicted share of the aligned speed, 0..1 */
  double row_bytes;            /* B of the shortest contiguous row */
} aegis_align;

#ifdef __cplusplus
}
#endif

#endif
