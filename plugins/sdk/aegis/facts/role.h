/* Fact role, of a value: what it stands for. */
#ifndef AEGIS_FACTS_ROLE_H
#define AEGIS_FACTS_ROLE_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_ROLE "aegis.fact.role/1"

enum {
  AEGIS_ROLE_NONE = 0,
  AEGIS_ROLE_POSITION = 1,
  AEGIS_ROLE_ANGLE = 2,
  AEGIS_ROLE_TIMESTEP = 3,
  AEGIS_ROLE_COORDINATE = 4,
  AEGIS_ROLE_TOKEN = 5,
  AEGIS_ROLE_MASK = 6,
  AEGIS_ROLE_LOGITS = 7, /* no GEMM between it and a graph output, Softmax, ArgMax or TopK */
  AEGIS_ROLE_PAST = 8,
  AEGIS_ROLE_RESIDUAL = 9,
  AEGIS_ROLE_NORM_SCALE = 10
};

typedef struct aegis_role {
  uint32_t struct_size;
  uint32_t role; /* AEGIS_ROLE_* */
  aegis_certainty certainty;
  aegis_value root;
  aegis_node sink; /* LOGITS: the ranking node, AEGIS_NONE for a graph output */
  uint32_t zero;
} aegis_role;

#ifdef __cplusplus
}
#endif

#endif
