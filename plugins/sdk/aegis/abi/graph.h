/* What the graph functions tell, and the hardware and runtime that a model is judged for. Part of aegis.h. */
#ifndef AEGIS_ABI_GRAPH_H
#define AEGIS_ABI_GRAPH_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aegis_opset_import {
  aegis_str domain; /* empty: ai.onnx */
  int64_t version;
} aegis_opset_import;

typedef struct aegis_model_info {
  uint32_t struct_size;
  uint32_t flags; /* none yet */
  int64_t ir_version;
  double file_bytes, inline_bytes, parameters; /* parameters: elements of all float constants */
  aegis_str path, producer, producer_version;
  aegis_list opsets; /* aegis_opset_import */
  aegis_scope main;
  uint32_t zero;
} aegis_model_info;

enum { AEGIS_SCOPE_MAIN_GRAPH = 0, AEGIS_SCOPE_SUBGRAPH = 1, AEGIS_SCOPE_FUNCTION = 2 };
typedef struct aegis_scope_info {
  uint32_t struct_size;
  uint32_t kind; /* AEGIS_SCOPE_* */
  aegis_scope parent;
  aegis_node owner;                  /* the If, Loop or Scan that holds a subgraph */
  aegis_str attribute, domain, name; /* the owner's attribute; a function's domain and name */
  aegis_str path;                    /* "/", "/If_3/then_branch" */
  aegis_nodes nodes, calls;          /* calls: nodes that call this function */
  aegis_values inputs, outputs, initializers, captures;
  aegis_dim trips;              /* how often the body runs; 1 outside loops */
  uint32_t instance, instances; /* of a function body: which signature, of how many */
} aegis_scope_info;

enum {
  AEGIS_NODE_NO_SCHEMA = 1u << 0,
  AEGIS_NODE_CALL = 1u << 1, /* calls a function of the model */
  AEGIS_NODE_DEAD = 1u << 2, /* nothing reads what it makes */
  AEGIS_NODE_RANDOM = 1u << 3,
  AEGIS_NODE_SIDE_EFFECT = 1u << 4,
  AEGIS_NODE_CONSTANT = 1u << 5, /* depends on constants alone */
  AEGIS_NODE_MOVEMENT = 1u << 6, /* copies elements */
  AEGIS_NODE_ELEMENTWISE = 1u << 7,
  AEGIS_NODE_VIEW = 1u << 8 /* moves no bytes */
};
typedef struct aegis_source {
  aegis_str file, module;
  uint64_t line; /* 0: not told */
} aegis_source;

typedef struct aegis_node_info {
  uint32_t struct_size;
  uint32_t flags;             /* AEGIS_NODE_* */
  aegis_str op, domain, name; /* domain empty: ai.onnx */
  aegis_str path;             /* scope path and label: "/If_3/then_branch/Conv_7" */
  aegis_scope scope;
  uint32_t index;               /* position in its scope */
  int64_t opset, since_version; /* since_version 0: no schema */
  aegis_values inputs, outputs; /* AEGIS_NONE where an optional slot is empty */
  aegis_scopes bodies;
  aegis_dim times;     /* how often it runs in one run of the model */
  aegis_source source; /* where the exporter says that it comes from */
  aegis_group group;
  uint32_t zero;
} aegis_node_info;

enum {
  AEGIS_VALUE_INPUT = 1u << 0,
  AEGIS_VALUE_OUTPUT = 1u << 1,
  AEGIS_VALUE_INITIALIZER = 1u << 2,
  AEGIS_VALUE_OVERRIDABLE = 1u << 3, /* an initializer that a caller may replace */
  AEGIS_VALUE_CONSTANT = 1u << 4,    /* stored in the file: an initializer or the output of a Constant */
  AEGIS_VALUE_EXTERNAL = 1u << 5,    /* its bytes lie in another file */
  AEGIS_VALUE_FORMAL = 1u << 6       /* input of a subgraph or function */
};
typedef struct aegis_value_info {
  uint32_t struct_size;
  uint32_t flags; /* AEGIS_VALUE_* */
  aegis_str name;
  aegis_scope scope;
  aegis_node producer;
  uint32_t output;     /* which output of its producer */
  uint32_t uses_count; /* readers in any scope and scope outputs */
  aegis_type type;
  const aegis_use* uses;
  double bytes; /* NaN: unknown */
} aegis_value_info;

enum {
  AEGIS_ATTRIBUTE_UNDEFINED = 0, /* as AttributeProto.AttributeType */
  AEGIS_ATTRIBUTE_FLOAT = 1,
  AEGIS_ATTRIBUTE_INT = 2,
  AEGIS_ATTRIBUTE_STRING = 3,
  AEGIS_ATTRIBUTE_TENSOR = 4,
  AEGIS_ATTRIBUTE_GRAPH = 5,
  AEGIS_ATTRIBUTE_FLOATS = 6,
  AEGIS_ATTRIBUTE_INTS = 7,
  AEGIS_ATTRIBUTE_STRINGS = 8
};
typedef struct aegis_attribute {
  uint32_t struct_size AEGIS_SIZE(aegis_attribute);
  uint32_t kind AEGIS_DEFAULT(0); /* AEGIS_ATTRIBUTE_* */
  aegis_str name AEGIS_DEFAULT({});
  int64_t i AEGIS_DEFAULT(0);
  double f AEGIS_DEFAULT(0);
  aegis_str s AEGIS_DEFAULT({});
  aegis_list items AEGIS_DEFAULT({}); /* double, int64_t or aegis_str */
  const aegis_tensor* tensor AEGIS_DEFAULT(NULL);
  aegis_scope graph AEGIS_DEFAULT({AEGIS_NONE});
  uint32_t from_schema AEGIS_DEFAULT(0); /* 1: not in the file, the schema's default */
  aegis_span span AEGIS_DEFAULT({});     /* where a tensor's payload lies */
} aegis_attribute;

enum {
  AEGIS_RUNTIME_ANY = 0,
  AEGIS_RUNTIME_SCHEMA = 1,
  AEGIS_RUNTIME_ORT_CPU = 2,
  AEGIS_RUNTIME_ORT_CUDA = 3,
  AEGIS_RUNTIME_TENSORRT = 4
};
enum {
  AEGIS_VIEW_TF32 = 1u << 0,        /* FLOAT products may run as TF32 */
  AEGIS_VIEW_OLD_LIBRARY = 1u << 1, /* cuBLAS before 11: unaligned 16-bit products leave the Tensor Cores */
  AEGIS_VIEW_WEIGHTS = 1u << 2,     /* weights may be read */
  AEGIS_VIEW_DATA = 1u << 3,        /* a data run was made */
  AEGIS_VIEW_ASSUMED = 1u << 4      /* some symbols have numbers that Aegis assumed */
};
enum { AEGIS_ORDER_FILE = 0, AEGIS_ORDER_ORT = 1, AEGIS_ORDER_BEST = 2 };
typedef struct aegis_view {
  uint32_t struct_size;
  uint32_t index, count; /* this view, of how many */
  uint32_t runtime;      /* AEGIS_RUNTIME_* */
  uint32_t flags;        /* AEGIS_VIEW_* */
  aegis_dtype planned;   /* the type that the model is judged as running in; 0: as stored */
  uint32_t order;        /* AEGIS_ORDER_* */
  uint32_t zero;
  aegis_str target, runtime_version;
  int64_t opset_max, ir_max; /* what the runtime reads; 0: no limit known */
} aegis_view;

typedef struct aegis_rate {
  uint32_t struct_size;
  aegis_dtype dtype;
  double tflops;  /* published dense peak, TFLOP/s (int8: TOP/s) */
  double ceiling; /* reachable share of it, 0..1 */
  double ridge;   /* FLOP/byte */
  aegis_confidence confidence;
  uint32_t zero;
} aegis_rate;

typedef struct aegis_tile {
  uint32_t m, n;
} aegis_tile;

typedef struct aegis_target {
  uint32_t struct_size;
  uint32_t cc; /* compute capability: 80, 90, 120 */
  uint32_t sm_count, blocks_per_sm;
  aegis_str id, arch;
  aegis_list rates; /* aegis_rate */
  aegis_list tiles; /* aegis_tile */
  double mem_bw_gbs, bandwidth_fraction, l2_bytes, mem_bytes;
  double launch_us_stream, launch_us_graph, host_link_gbs, host_sync_us;
} aegis_target;

/* Which multiples a dim should have. SOFT: other sizes run, slower. HARD: the library refuses them. */
enum { AEGIS_ALIGN_NONE = 0, AEGIS_ALIGN_SOFT = 1, AEGIS_ALIGN_HARD = 2 };
typedef struct aegis_alignment {
  uint32_t struct_size AEGIS_SIZE(aegis_alignment);
  uint32_t kind AEGIS_DEFAULT(0);  /* AEGIS_ALIGN_* */
  int64_t tier1 AEGIS_DEFAULT(1);  /* elements: the fast path, or the hard multiple */
  int64_t tier2 AEGIS_DEFAULT(1);  /* elements: the best */
  int64_t sparse AEGIS_DEFAULT(1); /* elements: under 2:4 sparsity or vectorised convolutions */
} aegis_alignment;

/* Bits that name dims in `align`, `off_tier1`, queries. */
enum {
  AEGIS_M = 1u << 0,
  AEGIS_N = 1u << 1,
  AEGIS_K = 1u << 2,
  AEGIS_CI = 1u << 3,
  AEGIS_CO = 1u << 4,
  AEGIS_HEAD = 1u << 5,
  AEGIS_KEYS = 1u << 6,
  AEGIS_RNN_INPUT = 1u << 7,
  AEGIS_HIDDEN = 1u << 8
};

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* AEGIS_ABI_GRAPH_H */
