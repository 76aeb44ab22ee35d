/* Fact scope_cost, of a scope or the model: how far nested bodies and calls multiply. */
#ifndef AEGIS_FACTS_SCOPE_COST_H
#define AEGIS_FACTS_SCOPE_COST_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_SCOPE_COST "aegis.fact.scope_cost/1"

typedef struct aegis_scope_cost {
  uint32_t struct_size;
  uint32_t depth;
  double nodes, expanded_nodes, paths;
} aegis_scope_cost;

#ifdef __cplusplus
}
#endif

#endif
