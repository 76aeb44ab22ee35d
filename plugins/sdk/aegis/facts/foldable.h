/* Fact foldable, of a value: does it depend on constants alone. */
#ifndef AEGIS_FACTS_FOLDABLE_H
#define AEGIS_FACTS_FOLDABLE_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_FOLDABLE "aegis.fact.foldable/1"

typedef struct aegis_foldable {
  uint32_t struct_size;
  aegis_answer foldable; /* UNKNOWN: once the symbols are bound */
  double bytes;          /* of the folded value; NaN: unknown */
  aegis_nodes nodes;     /* that would go */
  aegis_list symbols;    /* aegis_str: what must be bound */
  uint32_t reads_weights;
  uint32_t zero;
} aegis_foldable;

#ifdef __cplusplus
}
#endif

#endif
