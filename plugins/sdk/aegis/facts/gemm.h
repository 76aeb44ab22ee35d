/* Fact gemm, of a node: a matrix product Y[batch, M, N] = A[batch, M, K] * B[batch, K, N], whatever operator writes it.
   Leading dims fold into M when B has rank 2. */
#ifndef AEGIS_FACTS_GEMM_H
#define AEGIS_FACTS_GEMM_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_GEMM "aegis.fact.gemm/1"

enum {
  AEGIS_GEMM_A_WEIGHT = 1u << 0, /* A is a constant */
  AEGIS_GEMM_B_WEIGHT = 1u << 1,
  AEGIS_GEMM_TRANS_A = 1u << 2, /* read transposed: by attribute or by a folded Transpose */
  AEGIS_GEMM_TRANS_B = 1u << 3,
  AEGIS_GEMM_FOLDED_TRANSPOSE = 1u << 4, /* a Transpose of the last two axes feeds it and folds into the product */
  AEGIS_GEMM_DECODE = 1u << 5,           /* the graph has inputs named past_*: one token a run */
  AEGIS_GEMM_SIZED = 1u << 6,            /* M, N and K are each at least 16 or unknown */
  AEGIS_GEMM_REPEATED_LABEL = 1u << 7,   /* an Einsum operand names a label twice */
  AEGIS_GEMM_STRICT_FP32 = 1u << 8       /* FLOAT that may not run as TF32 */
};

typedef struct aegis_gemm {
  uint32_t struct_size;
  uint32_t flags; /* AEGIS_GEMM_* */
  aegis_extent m, n, k, batch;
  aegis_value a, b, c, y; /* as the product reads them: before a folded Transpose */
  aegis_dtype compute, a_type, b_type, y_type;
  uint32_t align;       /* dim bits that lie contiguous in memory: AEGIS_M, AEGIS_N, AEGIS_K */
  aegis_node core;      /* the Softmax of the attention core that this product belongs to */
  aegis_node transpose; /* the Transpose that folds */
  uint32_t zero;
  int64_t block; /* elements of a quantisation block; 0: none */
} aegis_gemm;

#ifdef __cplusplus
}
#endif

#endif
