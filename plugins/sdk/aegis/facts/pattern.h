/* Fact pattern, of a group; of a node: the smallest pattern that holds it. Several nodes that mean one thing. */
#ifndef AEGIS_FACTS_PATTERN_H
#define AEGIS_FACTS_PATTERN_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_PATTERN "aegis.fact.pattern/1"

enum {
  AEGIS_PATTERN_NONE = 0,
  AEGIS_PATTERN_LAYER_NORM = 1, /* "@layer_norm" in a rule's ops, and so on */
  AEGIS_PATTERN_RMS_NORM = 2,
  AEGIS_PATTERN_BATCH_NORM = 3,
  AEGIS_PATTERN_SOFTMAX = 4,
  AEGIS_PATTERN_LOG_SOFTMAX = 5,
  AEGIS_PATTERN_LOG_SUM_EXP = 6,
  AEGIS_PATTERN_ROPE = 7,
  AEGIS_PATTERN_TIMESTEP = 8,
  AEGIS_PATTERN_GELU = 9,
  AEGIS_PATTERN_SILU = 10,
  AEGIS_PATTERN_RESIDUAL = 11,
  AEGIS_PATTERN_LOSS_SCALE = 12,
  AEGIS_PATTERN_QDQ = 13,
  AEGIS_PATTERN_ATTENTION = 14,
  AEGIS_PATTERN_MASK = 15,
  AEGIS_PATTERN_FUSION = 16,
  AEGIS_PATTERN_LAUNCH_CHAIN = 17,
  AEGIS_PATTERN_SHAPE_CHAIN = 18,
  AEGIS_PATTERN_CONV_CHAIN = 19,
  AEGIS_PATTERN_TRANSPOSE_CHAIN = 20,
  AEGIS_PATTERN_CAST_ISLAND = 21,
  AEGIS_PATTERN_CSE = 22,
  AEGIS_PATTERN_FLOAT_PATH = 23,
  AEGIS_PATTERN_ANGLE = 24,
  AEGIS_PATTERN_DOUBLE = 25
};
enum {
  AEGIS_PATTERN_COMPLETE = 1u << 0,
  AEGIS_PATTERN_INNER_USED = 1u << 1,     /* an inner value is read outside */
  AEGIS_PATTERN_MAX_SUBTRACTED = 1u << 2, /* a softmax that subtracts its maximum */
  AEGIS_PATTERN_AUTHORED = 1u << 3,       /* in the source model, not made by a tool */
  AEGIS_PATTERN_SCALE_INVARIANT = 1u << 4
};

typedef struct aegis_pattern {
  uint32_t struct_size;
  uint32_t kind;  /* AEGIS_PATTERN_<KIND> */
  uint32_t flags; /* AEGIS_PATTERN_COMPLETE and on */
  aegis_node anchor;
  aegis_nodes nodes;
  aegis_value in, out, scale, shift, epsilon;
  int32_t min_opset;    /* of the fused operator; 0: none */
  double epsilon_value; /* NaN: none or unknown */
  aegis_dim n;          /* elements that are reduced together */
  aegis_str fused_op;   /* "LayerNormalization"; empty: none */
} aegis_pattern;

#ifdef __cplusplus
}
#endif

#endif
