/* Fact chain, of a chain: dependent kernels in a row. Figures are of all copies. */
#ifndef AEGIS_FACTS_CHAIN_H
#define AEGIS_FACTS_CHAIN_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_CHAIN "aegis.fact.chain/1"

typedef struct aegis_chain {
  uint32_t struct_size;
  uint32_t foldable_nodes;
  aegis_pair kernels, launch_us, bytes, percent;
  double work_us;
  aegis_answer identity; /* do the nodes cancel out? */
  uint32_t zero;
} aegis_chain;

#ifdef __cplusplus
}
#endif

#endif
