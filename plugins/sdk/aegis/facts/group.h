/* Fact group, of a node or group: the nodes of equal structure (operator, attributes, dims, types, neighbourhood). */
#ifndef AEGIS_FACTS_GROUP_H
#define AEGIS_FACTS_GROUP_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_GROUP "aegis.fact.group/1"

enum { AEGIS_GROUP_NODES = 0, AEGIS_GROUP_PATTERN = 1, AEGIS_GROUP_CHAIN = 2, AEGIS_GROUP_FUSION = 3 };

typedef struct aegis_group_info {
  uint32_t struct_size;
  aegis_group group;
  uint64_t hash;
  uint32_t kind;   /* AEGIS_GROUP_* */
  uint32_t block;  /* place in a repeated block; AEGIS_NONE: none found */
  uint32_t copies; /* members, or copies of a pattern */
  uint32_t zero;
  aegis_nodes members; /* in file order */
  double runs;         /* how often all members together run in one run of the model; NaN: unknown */
} aegis_group_info;

#ifdef __cplusplus
}
#endif

#endif
