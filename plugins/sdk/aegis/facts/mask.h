/* Fact mask, of a Softmax or attention node: what is added, selected or multiplied into its scores. */
#ifndef AEGIS_FACTS_MASK_H
#define AEGIS_FACTS_MASK_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_MASK "aegis.fact.mask/1"

enum { AEGIS_MASK_ADD = 0, AEGIS_MASK_WHERE = 1, AEGIS_MASK_MUL = 2, AEGIS_MASK_BOOL = 3 };

typedef struct aegis_mask_plane {
  uint32_t how;         /* AEGIS_MASK_* */
  aegis_value value;    /* the plane that reaches the scores */
  aegis_value constant; /* the constant with the fill in it */
  aegis_use use;        /* where that constant is read */
  uint32_t zero;
  double fill;     /* the smallest value that it can add; NaN: unknown */
  aegis_nodes way; /* from the reader of the constant to the Softmax, both included */
} aegis_mask_plane;

typedef struct aegis_mask {
  uint32_t struct_size;
  aegis_answer may_empty_row; /* can every element of a row be masked? */
  aegis_answer guarded;       /* is a row without element put right later? */
  aegis_value row_source;
  aegis_list planes; /* aegis_mask_plane, in the order in which they apply */
  double sum;        /* of the fills that add up; NaN: unknown */
} aegis_mask;

#ifdef __cplusplus
}
#endif

#endif
