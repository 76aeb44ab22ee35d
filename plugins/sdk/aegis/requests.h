/* Requests: what a rule asks the rewriter for. A Request says what is wanted, never how it is done; the plan decides.
 * The safety in each comment is the most that the change may do to results. */
#ifndef AEGIS_REQUESTS_H
#define AEGIS_REQUESTS_H

#include "aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Pad a dim to a multiple, zeros behind the valid lanes. Close. */
#define AEGIS_REQUEST_PAD_DIM "aegis.request.pad_dim/1"
enum { AEGIS_PAD_PLAIN = 0, AEGIS_PAD_PER_HEAD = 1, AEGIS_PAD_PER_GATE = 2, AEGIS_PAD_PER_GROUP = 3 };
enum { AEGIS_PAD_HARD = 1u << 0, AEGIS_PAD_BEST = 1u << 1 };
typedef struct aegis_pad_dim {
  uint32_t struct_size AEGIS_SIZE(aegis_pad_dim);
  uint32_t inside AEGIS_DEFAULT(AEGIS_PAD_PLAIN); /* AEGIS_PAD_PER_*: pad inside each of `blocks` parts */
  aegis_extent dim AEGIS_DEFAULT({});
  int64_t multiple AEGIS_DEFAULT(0); /* elements */
  uint32_t blocks AEGIS_DEFAULT(1);
  uint32_t flags AEGIS_DEFAULT(0); /* AEGIS_PAD_HARD: the library refuses other sizes; AEGIS_PAD_BEST: only if asked */
} aegis_pad_dim;

/* Give a type to a type group, a value, the model's border or the whole model. Lossy; exact upwards. */
#define AEGIS_REQUEST_SET_TYPE "aegis.request.set_type/1"
enum { AEGIS_SET_GROUP = 0, AEGIS_SET_VALUE = 1, AEGIS_SET_BORDER = 2, AEGIS_SET_MODEL = 3 };
typedef struct aegis_set_type {
  uint32_t struct_size AEGIS_SIZE(aegis_set_type);
  uint32_t what AEGIS_DEFAULT(AEGIS_SET_VALUE); /* AEGIS_SET_* */
  aegis_value value AEGIS_DEFAULT({AEGIS_NONE});
  aegis_dtype dtype AEGIS_DEFAULT(0);
  uint32_t fold_in_double AEGIS_DEFAULT(0); /* 1: fold tables in DOUBLE before they are rounded */
  uint32_t zero AEGIS_DEFAULT(0);
} aegis_set_type;

/* Prefer a narrow type for the whole model. Lossy. */
#define AEGIS_REQUEST_CHOOSE_TYPE "aegis.request.choose_type/1"
typedef struct aegis_choose_type {
  uint32_t struct_size AEGIS_SIZE(aegis_choose_type);
  aegis_dtype dtype AEGIS_DEFAULT(0);
} aegis_choose_type;

/* Keep nodes, a value or a region in FLOAT. Exact. */
#define AEGIS_REQUEST_KEEP_WIDE "aegis.request.keep_wide/1"
enum {
  AEGIS_KEEP_NODE = 0,
  AEGIS_KEEP_VALUE = 1,
  AEGIS_KEEP_PRODUCERS = 2,   /* the node and what makes its inputs */
  AEGIS_KEEP_REGION = 3,      /* the nodes of `region` */
  AEGIS_KEEP_TO_LOSSY_USE = 4 /* from the node to the first use that rounds anyway */
};
typedef struct aegis_keep_wide {
  uint32_t struct_size AEGIS_SIZE(aegis_keep_wide);
  uint32_t what AEGIS_DEFAULT(AEGIS_KEEP_NODE); /* AEGIS_KEEP_* */
  aegis_node node AEGIS_DEFAULT({AEGIS_NONE});
  aegis_value value AEGIS_DEFAULT({AEGIS_NONE});
  aegis_nodes region AEGIS_DEFAULT({}); /* the host writes it out for all but a value */
} aegis_keep_wide;

/* Write a bound of Clip, Min or Max that the type can hold. Exact. */
#define AEGIS_REQUEST_SET_BOUND "aegis.request.set_bound/1"
typedef struct aegis_set_bound {
  uint32_t struct_size AEGIS_SIZE(aegis_set_bound);
  aegis_use use AEGIS_DEFAULT({});
  uint32_t upper AEGIS_DEFAULT(0); /* 1: the upper bound */
  double to AEGIS_DEFAULT(0);
} aegis_set_bound;

/* Raise the opset of a domain, for this node's sake. Exact. */
#define AEGIS_REQUEST_RAISE_OPSET "aegis.request.raise_opset/1"
typedef struct aegis_raise_opset {
  uint32_t struct_size AEGIS_SIZE(aegis_raise_opset);
  aegis_node node AEGIS_DEFAULT({AEGIS_NONE});
  aegis_str domain AEGIS_DEFAULT({}); /* empty: ai.onnx */
  int64_t to AEGIS_DEFAULT(0);
} aegis_raise_opset;

/* Replace nodes by one operator. Close. */
#define AEGIS_REQUEST_FUSE "aegis.request.fuse/1"
typedef struct aegis_fuse {
  uint32_t struct_size AEGIS_SIZE(aegis_fuse);
  aegis_node anchor AEGIS_DEFAULT({AEGIS_NONE});
  aegis_str op AEGIS_DEFAULT({}), domain AEGIS_DEFAULT({});
  aegis_nodes nodes AEGIS_DEFAULT({});
} aegis_fuse;

/* Fold a BatchNormalization into the product before it. Close. */
#define AEGIS_REQUEST_FOLD_NORM "aegis.request.fold_norm/1"
typedef struct aegis_fold_norm {
  uint32_t struct_size AEGIS_SIZE(aegis_fold_norm);
  aegis_node norm AEGIS_DEFAULT({AEGIS_NONE});
  aegis_node into AEGIS_DEFAULT({AEGIS_NONE});
  uint32_t zero AEGIS_DEFAULT(0);
} aegis_fold_norm;

/* Raise the negative fill of a mask to a bound. Close. */
#define AEGIS_REQUEST_BOUND_CONSTANT "aegis.request.bound_constant/1"
typedef struct aegis_bound_constant {
  uint32_t struct_size AEGIS_SIZE(aegis_bound_constant);
  aegis_value value AEGIS_DEFAULT({AEGIS_NONE});
  aegis_use use AEGIS_DEFAULT({});
  double bound AEGIS_DEFAULT(0);
} aegis_bound_constant;

/* Apply a mask as booleans instead of adding a large number. Close. */
#define AEGIS_REQUEST_BOOL_MASK "aegis.request.bool_mask/1"
typedef struct aegis_bool_mask {
  uint32_t struct_size AEGIS_SIZE(aegis_bool_mask);
  aegis_value value AEGIS_DEFAULT({AEGIS_NONE});
  aegis_use use AEGIS_DEFAULT({});
  aegis_node softmax AEGIS_DEFAULT({AEGIS_NONE});
  uint32_t zero AEGIS_DEFAULT(0);
} aegis_bool_mask;

/* Compute values now. Exact. */
#define AEGIS_REQUEST_FOLD "aegis.request.fold/1"
typedef struct aegis_fold {
  uint32_t struct_size AEGIS_SIZE(aegis_fold);
  uint32_t in_double AEGIS_DEFAULT(0);
  aegis_values values AEGIS_DEFAULT({});
} aegis_fold;

/* One Cast for all readers of a value. Exact. */
#define AEGIS_REQUEST_SHARE_CAST "aegis.request.share_cast/1"
typedef struct aegis_share_cast {
  uint32_t struct_size AEGIS_SIZE(aegis_share_cast);
  aegis_value value AEGIS_DEFAULT({AEGIS_NONE});
  aegis_nodes casts AEGIS_DEFAULT({});
} aegis_share_cast;

/* Drop nodes whose results nobody reads. Exact. */
#define AEGIS_REQUEST_DROP_NODE "aegis.request.drop_node/1"
typedef struct aegis_drop_node {
  uint32_t struct_size AEGIS_SIZE(aegis_drop_node);
  uint32_t zero AEGIS_DEFAULT(0);
  aegis_nodes nodes AEGIS_DEFAULT({});
} aegis_drop_node;

/* Drop two nodes that undo each other. Exact. */
#define AEGIS_REQUEST_DROP_PAIR "aegis.request.drop_pair/1"
typedef struct aegis_drop_pair {
  uint32_t struct_size AEGIS_SIZE(aegis_drop_pair);
  aegis_node first AEGIS_DEFAULT({AEGIS_NONE});
  aegis_node second AEGIS_DEFAULT({AEGIS_NONE});
  uint32_t zero AEGIS_DEFAULT(0);
} aegis_drop_pair;

/* Write known shapes of values into the file. Exact. */
#define AEGIS_REQUEST_WRITE_SHAPE "aegis.request.write_shape/1"
typedef struct aegis_write_shape {
  uint32_t struct_size AEGIS_SIZE(aegis_write_shape);
  uint32_t zero AEGIS_DEFAULT(0);
  aegis_values values AEGIS_DEFAULT({});
} aegis_write_shape;

/* Put an Identity between an outer value and a branch that returns it. Exact. */
#define AEGIS_REQUEST_IDENTITY "aegis.request.identity/1"
typedef struct aegis_identity {
  uint32_t struct_size AEGIS_SIZE(aegis_identity);
  aegis_scope scope AEGIS_DEFAULT({AEGIS_NONE});
  uint32_t output AEGIS_DEFAULT(0); /* position among the scope's outputs */
  uint32_t zero AEGIS_DEFAULT(0);
} aegis_identity;

/* Move large constants into another file. Exact. */
#define AEGIS_REQUEST_EXTERNAL_DATA "aegis.request.external_data/1"
typedef struct aegis_external_data {
  uint32_t struct_size AEGIS_SIZE(aegis_external_data);
  uint32_t zero AEGIS_DEFAULT(0);
  double at_least_bytes AEGIS_DEFAULT(0);
} aegis_external_data;

/* Move a Cast past nodes. Exact over movement, else lossy. */
#define AEGIS_REQUEST_MOVE_CAST "aegis.request.move_cast/1"
enum { AEGIS_MOVE_DOWN = 0, AEGIS_MOVE_UP = 1 };
typedef struct aegis_move_cast {
  uint32_t struct_size AEGIS_SIZE(aegis_move_cast);
  uint32_t direction AEGIS_DEFAULT(AEGIS_MOVE_DOWN); /* AEGIS_MOVE_* */
  aegis_node cast AEGIS_DEFAULT({AEGIS_NONE});
  aegis_node past AEGIS_DEFAULT({AEGIS_NONE});
} aegis_move_cast;

/* Drop Casts that undo each other. Close. */
#define AEGIS_REQUEST_DROP_CAST "aegis.request.drop_cast/1"
typedef struct aegis_drop_cast {
  uint32_t struct_size AEGIS_SIZE(aegis_drop_cast);
  uint32_t zero AEGIS_DEFAULT(0);
  aegis_nodes nodes AEGIS_DEFAULT({});
} aegis_drop_cast;

/* Raise an epsilon that a type cannot hold. Lossy. */
#define AEGIS_REQUEST_LIFT_EPSILON "aegis.request.lift_epsilon/1"
typedef struct aegis_lift_epsilon {
  uint32_t struct_size AEGIS_SIZE(aegis_lift_epsilon);
  aegis_node node AEGIS_DEFAULT({AEGIS_NONE});
  aegis_value value AEGIS_DEFAULT({AEGIS_NONE}); /* none: the attribute */
  uint32_t zero AEGIS_DEFAULT(0);
  double to AEGIS_DEFAULT(0);
} aegis_lift_epsilon;

/* Scale a value by a power of two that a later node absorbs. Exact. */
#define AEGIS_REQUEST_RESCALE_POW2 "aegis.request.rescale_pow2/1"
typedef struct aegis_rescale_pow2 {
  uint32_t struct_size AEGIS_SIZE(aegis_rescale_pow2);
  int32_t exponent AEGIS_DEFAULT(0);
  aegis_value value AEGIS_DEFAULT({AEGIS_NONE});
  aegis_node absorbed_by AEGIS_DEFAULT({AEGIS_NONE});
} aegis_rescale_pow2;

/* Bring the activation peak below a budget. Exact. */
#define AEGIS_REQUEST_REDUCE_PEAK "aegis.request.reduce_peak/1"
typedef struct aegis_reduce_peak {
  uint32_t struct_size AEGIS_SIZE(aegis_reduce_peak);
  uint32_t zero AEGIS_DEFAULT(0);
  double budget_bytes AEGIS_DEFAULT(0);
} aegis_reduce_peak;

/* Compute a value again instead of keeping it. Exact. */
#define AEGIS_REQUEST_RECOMPUTE "aegis.request.recompute/1"
enum { AEGIS_TIER_VALUE = 0, AEGIS_TIER_CHEAP = 1, AEGIS_TIER_SELECTIVE = 2, AEGIS_TIER_FULL_BLOCK = 3 };
typedef struct aegis_recompute {
  uint32_t struct_size AEGIS_SIZE(aegis_recompute);
  uint32_t tier AEGIS_DEFAULT(AEGIS_TIER_VALUE); /* AEGIS_TIER_* */
  aegis_value value AEGIS_DEFAULT({AEGIS_NONE});
  aegis_node before AEGIS_DEFAULT({AEGIS_NONE}); /* the reader that gets the new value */
  aegis_nodes blocks AEGIS_DEFAULT({});
} aegis_recompute;

/* Keep a runtime from merging or hoisting nodes. Exact. */
#define AEGIS_REQUEST_BARRIER "aegis.request.barrier/1"
typedef struct aegis_barrier {
  uint32_t struct_size AEGIS_SIZE(aegis_barrier);
  aegis_value dependency AEGIS_DEFAULT({AEGIS_NONE}); /* none: the planner picks one */
  aegis_node before AEGIS_DEFAULT({AEGIS_NONE});
  uint32_t zero AEGIS_DEFAULT(0);
  aegis_values inputs AEGIS_DEFAULT({});
} aegis_barrier;

/* Compute a block's weight gradients as soon as their inputs are there. Exact. */
#define AEGIS_REQUEST_DRAIN "aegis.request.drain/1"
typedef struct aegis_drain {
  uint32_t struct_size AEGIS_SIZE(aegis_drain);
  aegis_value gradient AEGIS_DEFAULT({AEGIS_NONE});
  aegis_values leaves AEGIS_DEFAULT({});
} aegis_drain;

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* AEGIS_REQUESTS_H */
