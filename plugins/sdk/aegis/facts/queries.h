/* Queries: facts that take arguments. Pure and cached. A query fills its answer's struct up to the caller's size. */
#ifndef AEGIS_FACTS_QUERIES_H
#define AEGIS_FACTS_QUERIES_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What would padding dims of a GEMM or convolution win? */
#define AEGIS_QUERY_PAD "aegis.query.pad/1"
typedef struct aegis_pad_in {
  uint32_t struct_size AEGIS_SIZE(aegis_pad_in);
  aegis_node node AEGIS_DEFAULT({AEGIS_NONE});
  uint32_t dims AEGIS_DEFAULT(0);        /* dim bits that are padded */
  uint32_t best AEGIS_DEFAULT(0);        /* 1: the smallest multiple within 3 % of the best predicted time */
  int64_t multiple AEGIS_DEFAULT(0);     /* elements; 0: tier 1 */
  aegis_extent extent AEGIS_DEFAULT({}); /* with value: only this dim, whatever `dims` says */
} aegis_pad_in;
typedef struct aegis_pad_out {
  uint32_t struct_size AEGIS_SIZE(aegis_pad_out);
  aegis_confidence confidence AEGIS_DEFAULT(AEGIS_CONFIDENCE_NONE);
  int64_t padded AEGIS_DEFAULT(-1); /* the extent after (of the first dim in bit order); -1: unknown */
  int64_t multiple AEGIS_DEFAULT(0);
  double e_now AEGIS_DEFAULT(0), e_after AEGIS_DEFAULT(0);
  double low AEGIS_DEFAULT(1), point AEGIS_DEFAULT(1), high AEGIS_DEFAULT(1); /* t(before) / t(after) */
  double flops_percent AEGIS_DEFAULT(0);                                      /* more FLOPs */
} aegis_pad_out;

/* What would a place cost computed and stored in other types, or a GEMM with another M? */
#define AEGIS_QUERY_COST "aegis.query.cost/1" /* answers with aegis_cost */
typedef struct aegis_cost_in {
  uint32_t struct_size AEGIS_SIZE(aegis_cost_in);
  aegis_dtype compute AEGIS_DEFAULT(0); /* 0: as now */
  aegis_dtype storage AEGIS_DEFAULT(0); /* 0: as now */
  aegis_place place AEGIS_DEFAULT({});
  uint32_t zero AEGIS_DEFAULT(0);
  int64_t m AEGIS_DEFAULT(0); /* 0: as now */
} aegis_cost_in;

/* Does a runtime have a kernel for a node in a type at an opset? */
#define AEGIS_QUERY_SUPPORT "aegis.query.support/1" /* answers with aegis_support */
typedef struct aegis_support_in {
  uint32_t struct_size AEGIS_SIZE(aegis_support_in);
  aegis_node node AEGIS_DEFAULT({AEGIS_NONE});
  aegis_dtype dtype AEGIS_DEFAULT(0);
  uint32_t runtime AEGIS_DEFAULT(0); /* AEGIS_RUNTIME_* */
  int64_t opset AEGIS_DEFAULT(0);    /* 0: the model's */
} aegis_support_in;

/* What would a runtime lose or win by a raise of the model's opset? */
#define AEGIS_QUERY_OPSET "aegis.query.opset/1"
typedef struct aegis_opset_in {
  uint32_t struct_size AEGIS_SIZE(aegis_opset_in);
  uint32_t runtime AEGIS_DEFAULT(0); /* AEGIS_RUNTIME_* */
  int64_t to AEGIS_DEFAULT(0);
} aegis_opset_in;
typedef struct aegis_opset_out {
  uint32_t struct_size AEGIS_SIZE(aegis_opset_out);
  uint32_t refused AEGIS_DEFAULT(0);  /* 1: some node cannot be raised */
  aegis_nodes lost AEGIS_DEFAULT({}); /* nodes without a kernel afterwards */
  double lost_us AEGIS_DEFAULT(0), gained_us AEGIS_DEFAULT(0);
} aegis_opset_out;

/* What would edits of the order and of lifetimes do to the peak? Simulates the model. */
#define AEGIS_QUERY_PEAK "aegis.query.peak/1"
enum {
  AEGIS_PEAK_RECOMPUTE = 0,
  AEGIS_PEAK_MERGE = 1,
  AEGIS_PEAK_BARRIER = 2,
  AEGIS_PEAK_DRAIN = 3,
  AEGIS_PEAK_DROP = 4,
  AEGIS_PEAK_FOLD = 5
};
typedef struct aegis_peak_edit {
  uint32_t kind AEGIS_DEFAULT(0); /* AEGIS_PEAK_* */
  aegis_value value AEGIS_DEFAULT({AEGIS_NONE});
  aegis_node before AEGIS_DEFAULT({AEGIS_NONE}), with AEGIS_DEFAULT({AEGIS_NONE});
  aegis_values values AEGIS_DEFAULT({});
} aegis_peak_edit;
typedef struct aegis_peak_in {
  uint32_t struct_size AEGIS_SIZE(aegis_peak_in);
  uint32_t order AEGIS_DEFAULT(0);    /* AEGIS_ORDER_* */
  aegis_list edits AEGIS_DEFAULT({}); /* aegis_peak_edit */
} aegis_peak_in;
typedef struct aegis_peak_out {
  uint32_t struct_size AEGIS_SIZE(aegis_peak_out);
  uint32_t refused AEGIS_DEFAULT(0);
  double peak_bytes AEGIS_DEFAULT(0), extra_flops_percent AEGIS_DEFAULT(0);
  aegis_node peak AEGIS_DEFAULT({AEGIS_NONE});
  uint32_t zero AEGIS_DEFAULT(0);
} aegis_peak_out;

#ifdef __cplusplus
}
#endif

#endif
