/* Fact conv, of a node: a convolution as the GEMM that it becomes (M, N, K per group). */
#ifndef AEGIS_FACTS_CONV_H
#define AEGIS_FACTS_CONV_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_CONV "aegis.fact.conv/1"

enum {
  AEGIS_CONV_DEPTHWISE = 1u << 0, /* one input channel a group */
  AEGIS_CONV_TRANSPOSED = 1u << 1,
  AEGIS_CONV_QUANTISED = 1u << 2,
  AEGIS_CONV_NHWC = 1u << 3
};

typedef struct aegis_conv {
  uint32_t struct_size;
  uint32_t flags;             /* AEGIS_CONV_* */
  aegis_extent batch, ci, co; /* ci, co: of the whole tensor */
  aegis_dim m, n, k;          /* of one group */
  int64_t group;
  aegis_dtype compute;
  uint32_t rank;                             /* spatial axes: 1, 2 or 3; more are unknown extents */
  int64_t kernel[3], stride[3], dilation[3]; /* -1: unknown */
  aegis_dim in[3], out[3];
  aegis_value x, w, y;
  aegis_value input_root; /* the graph input that x is, through elementwise nodes and Transpose */
} aegis_conv;

#ifdef __cplusplus
}
#endif

#endif
