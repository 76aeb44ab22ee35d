/* Fact island, of a group or Cast: a stretch of another float type between Casts. */
#ifndef AEGIS_FACTS_ISLAND_H
#define AEGIS_FACTS_ISLAND_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_ISLAND "aegis.fact.island/1"

enum { AEGIS_ISLAND_PING_PONG = 0, AEGIS_ISLAND_LOSSY_PAIR = 1, AEGIS_ISLAND_AUTHORED = 2, AEGIS_ISLAND_REPEATED = 3 };

typedef struct aegis_island {
  uint32_t struct_size;
  uint32_t kind;      /* AEGIS_ISLAND_* */
  uint32_t tool_made; /* 1: a tool wrote the Casts */
  aegis_dtype outer, inner;
  aegis_answer movement_only;
  aegis_nodes nodes, entries, exits;
  double cast_bytes, saved_us;
} aegis_island;

#ifdef __cplusplus
}
#endif

#endif
