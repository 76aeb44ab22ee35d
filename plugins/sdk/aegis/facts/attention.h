/* Fact attention, of its nodes: Q*K', scale and mask, Softmax, *V, written as one operator or several. */
#ifndef AEGIS_FACTS_ATTENTION_H
#define AEGIS_FACTS_ATTENTION_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_ATTENTION "aegis.fact.attention/1"

enum {
  AEGIS_ATTENTION_FUSED = 1u << 0, /* one operator */
  AEGIS_ATTENTION_CAUSAL = 1u << 1,
  AEGIS_ATTENTION_KEY_STATIC = 1u << 2 /* the key length is a number in the file */
};

typedef struct aegis_attention {
  uint32_t struct_size;
  uint32_t flags; /* AEGIS_ATTENTION_* */
  aegis_extent heads, kv_heads, head_dim, value_dim, query_len, key_len;
  aegis_value q, k, v, y;
  aegis_node core; /* the Softmax, or the fused node */
  uint32_t zero;
  aegis_nodes nodes;
  double scale;                  /* NaN: unknown */
  aegis_answer scale_is_default; /* is it 1/sqrt(head_dim)? */
  aegis_dtype compute;
} aegis_attention;

#ifdef __cplusplus
}
#endif

#endif
