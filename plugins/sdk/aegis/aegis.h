/* The rule ABI of Aegis: C11, and C++ from C++17 on.
 *
 * A rule reads a model through one table of functions (aegis_api) and reports findings. It never edits, opens files,
 * prints or keeps state. A pack of rules exports one datum, aegis_pack_v1 (at the end of this file).
 *
 * Ownership: what the host hands out is borrowed until `check` returns; what a pack hands in is copied within the call.
 * Text in descriptors is NUL-terminated and static; text at run time is aegis_str: UTF-8, not terminated, and as
 * hostile as the file it comes from.
 * Growth: a struct that begins with struct_size may get fields at its end in a minor version; AEGIS_HAS asks whether
 * the other side has one. Structs without struct_size are frozen for this major version. `zero` words are holes: write
 * 0, ignore on reading. Lists are walked by the stride of their maker.
 * Unknown: a fact that cannot be told is null with a reason (aegis_absence). Inside a fact, NaN, -1, AEGIS_NONE and
 * dims of kind AEGIS_DIM_UNKNOWN stand for what is not known; nothing unknown is ever 0.
 * Wrong arguments give null, empty, AEGIS_UNKNOWN or AEGIS_INVALID, never a crash. Functions that fill a struct fill
 * no more than the caller's struct_size.
 * Threads: a check may call the table only with the aegis_cx it was given, on the thread it was called on, until it
 * returns. Many checks run at once. Ids stay the same for a whole run.
 */
#ifndef AEGIS_AEGIS_H
#define AEGIS_AEGIS_H

#include <stddef.h>
#include <stdint.h>

#define AEGIS_ABI_MAJOR 1u
#define AEGIS_ABI_MINOR 0u
#define AEGIS_PACK_MAGIC 0x41454749u /* "AEGI" */
#define AEGIS_NONE 0xffffffffu       /* the id of nothing */

/* The value of a field that a pack fills and leaves out: in C++ a default member initialiser, in C nothing. */
#ifdef __cplusplus
#define AEGIS_DEFAULT(...) = __VA_ARGS__
#define AEGIS_SIZE(type) AEGIS_DEFAULT(static_cast<uint32_t>(sizeof(type)))
#else
#define AEGIS_DEFAULT(...)
#define AEGIS_SIZE(type)
#endif

/* Does the struct behind `pointer`, made by the other side, have this field of `type`? */
#ifdef __cplusplus
#define AEGIS_SIZE_OF_(type, field) sizeof(type::field)
#else
#define AEGIS_SIZE_OF_(type, field) sizeof(((const type*)0)->field)
#endif
#define AEGIS_HAS(pointer, type, field) ((pointer)->struct_size >= offsetof(type, field) + AEGIS_SIZE_OF_(type, field))

#if defined(_WIN32)
#define AEGIS_VISIBLE __declspec(dllexport)
#else
#define AEGIS_VISIBLE __attribute__((visibility("default")))
#endif
#ifdef __cplusplus
#define AEGIS_EXPORT extern "C" AEGIS_VISIBLE
extern "C" {
#else
#define AEGIS_EXPORT AEGIS_VISIBLE
#endif

/* ---- enumerations: 32-bit words, new values may come at an end ------------------------------------------------- */

typedef uint32_t aegis_status;
enum {
  AEGIS_OK = 0,
  AEGIS_CANCELLED = 1,
  AEGIS_INVALID = 2,
  AEGIS_UNSUPPORTED = 3,
  AEGIS_LIMIT = 4,
  AEGIS_FAILED = 5,
  AEGIS_OUT_OF_MEMORY = 6
};

typedef uint32_t aegis_answer;
enum { AEGIS_NO = 0, AEGIS_YES = 1, AEGIS_UNKNOWN = 2 };

typedef uint32_t aegis_severity;
enum { AEGIS_SEVERITY_DEFAULT = 0, AEGIS_INFO = 1, AEGIS_WARNING = 2, AEGIS_ERROR = 3 };

/* How sure a finding is: proved by a bound, possible by a bound, seen in data, or not stated. */
typedef uint32_t aegis_certainty;
enum { AEGIS_UNSTATED = 0, AEGIS_CERTAIN = 1, AEGIS_POSSIBLE = 2, AEGIS_SEEN = 3 };

/* What a change may do to results: nothing, the order of rounding, fewer bits. */
typedef uint32_t aegis_safety;
enum { AEGIS_NO_FIX = 0, AEGIS_EXACT = 1, AEGIS_CLOSE = 2, AEGIS_LOSSY = 3 };

typedef uint32_t aegis_confidence;
enum { AEGIS_CONFIDENCE_NONE = 0, AEGIS_CONFIDENCE_LOW = 1, AEGIS_CONFIDENCE_MEDIUM = 2, AEGIS_CONFIDENCE_HIGH = 3 };

/* op: one kernel per node, stream launches. fused: one kernel per fusion group, graph launches. */
typedef uint32_t aegis_regime;
enum { AEGIS_REGIME_BOTH = 0, AEGIS_REGIME_OP = 1, AEGIS_REGIME_FUSED = 2 };

/* Why there is no fact. UNKNOWN_DIM up to OVER_LIMIT count as not covered. */
typedef uint32_t aegis_absence;
enum {
  AEGIS_PRESENT = 0,
  AEGIS_NOT_APPLICABLE = 1,
  AEGIS_UNKNOWN_DIM = 2,
  AEGIS_UNKNOWN_OP = 3,
  AEGIS_INFERENCE_FAILED = 4,
  AEGIS_UNKNOWN_TRIPS = 5,
  AEGIS_NO_RATE = 6,
  AEGIS_NO_WEIGHTS = 7,
  AEGIS_NO_DATA = 8,
  AEGIS_NO_TABLE = 9,
  AEGIS_OVER_LIMIT = 10,
  AEGIS_NOT_DECLARED = 11,
  AEGIS_NO_SUCH_FACT = 12
};

/* Element types as TensorProto.DataType; from 256 on, ways to compute. */
typedef uint32_t aegis_dtype;
enum {
  AEGIS_DTYPE_UNDEFINED = 0,
  AEGIS_DTYPE_FLOAT = 1,
  AEGIS_DTYPE_UINT8 = 2,
  AEGIS_DTYPE_INT8 = 3,
  AEGIS_DTYPE_UINT16 = 4,
  AEGIS_DTYPE_INT16 = 5,
  AEGIS_DTYPE_INT32 = 6,
  AEGIS_DTYPE_INT64 = 7,
  AEGIS_DTYPE_STRING = 8,
  AEGIS_DTYPE_BOOL = 9,
  AEGIS_DTYPE_FLOAT16 = 10,
  AEGIS_DTYPE_DOUBLE = 11,
  AEGIS_DTYPE_UINT32 = 12,
  AEGIS_DTYPE_UINT64 = 13,
  AEGIS_DTYPE_COMPLEX64 = 14,
  AEGIS_DTYPE_COMPLEX128 = 15,
  AEGIS_DTYPE_BFLOAT16 = 16,
  AEGIS_DTYPE_FLOAT8E4M3FN = 17,
  AEGIS_DTYPE_FLOAT8E4M3FNUZ = 18,
  AEGIS_DTYPE_FLOAT8E5M2 = 19,
  AEGIS_DTYPE_FLOAT8E5M2FNUZ = 20,
  AEGIS_DTYPE_UINT4 = 21,
  AEGIS_DTYPE_INT4 = 22,
  AEGIS_DTYPE_FLOAT4E2M1 = 23,
  AEGIS_DTYPE_FLOAT8E8M0 = 24,
  AEGIS_DTYPE_UINT2 = 25,
  AEGIS_DTYPE_INT2 = 26,
  AEGIS_DTYPE_FLOAT6E2M3 = 27,
  AEGIS_DTYPE_FLOAT6E3M2 = 28,
  AEGIS_DTYPE_TF32 = 256, /* FLOAT storage, 19-bit products */
  AEGIS_DTYPE_FP8_BLOCK128 = 257,
  AEGIS_DTYPE_MXFP8 = 258,
  AEGIS_DTYPE_NVFP4 = 259,
  AEGIS_DTYPE_MXFP4 = 260
};

/* The unit of a number in evidence; the host adds it to the key. */
typedef uint32_t aegis_quantity;
enum {
  AEGIS_PLAIN = 0,
  AEGIS_ELEMENTS = 1,
  AEGIS_ROWS = 2,
  AEGIS_BYTES = 3,
  AEGIS_FLOP = 4,
  AEGIS_FLOP_PER_BYTE = 5,
  AEGIS_MICROSECONDS = 6,
  AEGIS_PERCENT = 7,
  AEGIS_RATIO = 8,
  AEGIS_FRACTION = 9,
  AEGIS_RADIANS = 10,
  AEGIS_PIXELS = 11,
  AEGIS_NODES = 12
};

/* ---- frozen value types ---------------------------------------------------------------------------------------- */

typedef struct aegis_str {
  const char* data;
  uint64_t size; /* bytes */
} aegis_str;

typedef struct aegis_list {
  const void* data;
  uint32_t count;
  uint32_t stride; /* bytes from one element to the next */
} aegis_list;

typedef struct aegis_node {
  uint32_t id;
} aegis_node;
typedef struct aegis_value {
  uint32_t id;
} aegis_value;
typedef struct aegis_scope {
  uint32_t id;
} aegis_scope;
typedef struct aegis_group {
  uint32_t id;
} aegis_group;
typedef struct aegis_finding {
  uint32_t id;
} aegis_finding;

typedef struct aegis_nodes {
  const aegis_node* data;
  uint64_t count;
} aegis_nodes;
typedef struct aegis_values {
  const aegis_value* data;
  uint64_t count;
} aegis_values;
typedef struct aegis_scopes {
  const aegis_scope* data;
  uint64_t count;
} aegis_scopes;

enum {
  AEGIS_PLACE_MODEL = 0,
  AEGIS_PLACE_SCOPE = 1,
  AEGIS_PLACE_NODE = 2,
  AEGIS_PLACE_VALUE = 3,
  AEGIS_PLACE_GROUP = 4
};
typedef struct aegis_place {
  uint32_t kind; /* AEGIS_PLACE_* */
  uint32_t id;   /* 0 for the model */
} aegis_place;

/* A reader of a value: slot `slot` of `node`, or, without node, output `slot` of a scope. */
typedef struct aegis_use {
  aegis_node node;
  uint32_t slot;
} aegis_use;

enum { AEGIS_DIM_UNKNOWN = 0, AEGIS_DIM_VALUE = 1, AEGIS_DIM_SYMBOLIC = 2 };
enum { AEGIS_DIM_STATIC = 0, AEGIS_DIM_BOUND = 1, AEGIS_DIM_ASSUMED = 2 };
typedef struct aegis_dim {
  int64_t value;   /* the extent when kind is VALUE, else -1 */
  uint32_t expr;   /* the host's word for what the extent depends on; AEGIS_NONE: nothing */
  uint16_t kind;   /* AEGIS_DIM_UNKNOWN, _VALUE, _SYMBOLIC */
  uint16_t origin; /* where the number comes from: AEGIS_DIM_STATIC (the file), _BOUND (the caller), _ASSUMED */
} aegis_dim;

/* A dim at its place: axis `axis` of `value`. Axis -1: a product of several axes, or of no one place. */
typedef struct aegis_extent {
  aegis_dim dim;
  aegis_value value;
  int32_t axis;
} aegis_extent;

enum {
  AEGIS_TYPE_UNKNOWN = 0,
  AEGIS_TYPE_TENSOR = 1,
  AEGIS_TYPE_SPARSE = 2,
  AEGIS_TYPE_SEQUENCE = 3,
  AEGIS_TYPE_OPTIONAL = 4,
  AEGIS_TYPE_MAP = 5
};
typedef struct aegis_type {
  uint32_t kind; /* AEGIS_TYPE_* */
  aegis_dtype dtype;
  int32_t rank; /* -1: unknown */
  uint32_t zero;
  const aegis_dim* dims; /* `rank` of them */
} aegis_type;

typedef struct aegis_tensor {
  aegis_dtype dtype;
  uint32_t rank;
  const int64_t* dims;
  const void* data; /* row-major, little-endian */
  uint64_t bytes;
} aegis_tensor;

typedef struct aegis_span {
  uint64_t offset, length; /* bytes */
  uint32_t file;           /* 0: the model file; n: the n-th external file */
  uint32_t encoding;       /* TensorProto field that holds the payload; 0 unknown */
} aegis_span;

typedef struct aegis_interval {
  double lo, hi;
} aegis_interval;

/* A quantity in both regimes. */
typedef struct aegis_pair {
  double fused, op;
} aegis_pair;

/* ---- what the graph functions tell ------------------------------------------------------------------------------ */

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

/* ---- what the model is judged against --------------------------------------------------------------------------- */

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

/* ---- options, findings ------------------------------------------------------------------------------------------ */

enum {
  AEGIS_OPTION_BOOL = 0,
  AEGIS_OPTION_INT = 1,
  AEGIS_OPTION_REAL = 2,
  AEGIS_OPTION_TEXT = 3,
  AEGIS_OPTION_CHOICE = 4
};
/* An option that a rule declares; users set it as CODE.key. Checked before any rule runs. */
typedef struct aegis_option {
  uint32_t struct_size AEGIS_SIZE(aegis_option);
  uint32_t type AEGIS_DEFAULT(AEGIS_OPTION_REAL); /* AEGIS_OPTION_* */
  const char* key AEGIS_DEFAULT(NULL);
  double value AEGIS_DEFAULT(0); /* the default of BOOL, INT, REAL */
  double min AEGIS_DEFAULT(0), max AEGIS_DEFAULT(0);
  const char* text AEGIS_DEFAULT(NULL);   /* the default of TEXT, or the choices "a|b|c", the first is the default */
  const char* budget AEGIS_DEFAULT(NULL); /* its key in [budgets] */
  const char* help AEGIS_DEFAULT(NULL);
} aegis_option;

typedef struct aegis_option_value {
  uint32_t struct_size AEGIS_SIZE(aegis_option_value);
  uint32_t type AEGIS_DEFAULT(0);
  double number AEGIS_DEFAULT(0); /* BOOL: 0 or 1; CHOICE: the index */
  aegis_str text AEGIS_DEFAULT({});
  uint32_t set AEGIS_DEFAULT(0); /* 1: the user set it */
  uint32_t zero AEGIS_DEFAULT(0);
} aegis_option_value;

typedef struct aegis_report {
  uint32_t struct_size AEGIS_SIZE(aegis_report);
  aegis_severity severity AEGIS_DEFAULT(AEGIS_SEVERITY_DEFAULT); /* DEFAULT: the rule's own */
  aegis_place anchor AEGIS_DEFAULT({});
  aegis_certainty certainty AEGIS_DEFAULT(AEGIS_UNSTATED);
  uint32_t zero AEGIS_DEFAULT(0);
  aegis_str message AEGIS_DEFAULT({}); /* at most 1 KiB */
} aegis_report;

enum {
  AEGIS_EVIDENCE_NUMBER = 0,
  AEGIS_EVIDENCE_INT = 1,
  AEGIS_EVIDENCE_TEXT = 2,
  AEGIS_EVIDENCE_BOOL = 3,
  AEGIS_EVIDENCE_NULL = 4
};
/* A key twice makes a list, with labels a map. A NaN reads as null. */
typedef struct aegis_evidence {
  uint32_t struct_size AEGIS_SIZE(aegis_evidence);
  uint32_t kind AEGIS_DEFAULT(AEGIS_EVIDENCE_NUMBER); /* AEGIS_EVIDENCE_* */
  aegis_str key AEGIS_DEFAULT({});
  aegis_str label AEGIS_DEFAULT({});
  aegis_quantity unit AEGIS_DEFAULT(AEGIS_PLAIN);
  uint32_t zero AEGIS_DEFAULT(0);
  double number AEGIS_DEFAULT(0);
  int64_t integer AEGIS_DEFAULT(0); /* INT, BOOL */
  aegis_str text AEGIS_DEFAULT({});
} aegis_evidence;

/* What following the advice should win: t(before) / t(after). */
typedef struct aegis_gain {
  uint32_t struct_size AEGIS_SIZE(aegis_gain);
  aegis_confidence confidence AEGIS_DEFAULT(AEGIS_CONFIDENCE_LOW);
  double low AEGIS_DEFAULT(1), point AEGIS_DEFAULT(1), high AEGIS_DEFAULT(1);
  double bytes_saved AEGIS_DEFAULT(0);
  aegis_regime regime AEGIS_DEFAULT(AEGIS_REGIME_BOTH);
  uint32_t zero AEGIS_DEFAULT(0);
} aegis_gain;

/* ---- the function table ----------------------------------------------------------------------------------------- */

typedef struct aegis_cx aegis_cx; /* one call of `check` */

/* Append-only. Test for a later function with AEGIS_HAS(api, aegis_api, function). */
typedef struct aegis_api {
  uint32_t struct_size;
  uint32_t abi_minor;

  /* The model as a whole. Thread: the check's own. */
  const aegis_model_info* (*model)(aegis_cx* cx);
  /* A scope by its id; null for a wrong id. Thread: the check's own. */
  const aegis_scope_info* (*scope)(aegis_cx* cx, aegis_scope scope);
  /* A node by its id; null for a wrong id. Thread: the check's own. */
  const aegis_node_info* (*node)(aegis_cx* cx, aegis_node node);
  /* A value by its id; null for a wrong id. Thread: the check's own. */
  const aegis_value_info* (*value)(aegis_cx* cx, aegis_value value);
  /* All scopes, outer ones first. Thread: the check's own. */
  aegis_scopes (*scopes)(aegis_cx* cx);
  /* The nodes of an operator ("MatMul", "com.microsoft::FusedMatMul") in all scopes; empty text: all nodes.
     Thread: the check's own. */
  aegis_nodes (*nodes)(aegis_cx* cx, aegis_str op);
  /* An attribute, stored or the schema's default; UNSUPPORTED when there is neither. Thread: the check's own. */
  aegis_status (*attribute)(aegis_cx* cx, aegis_node node, aegis_str name, aegis_attribute* out);
  /* A metadata text of the model, a node or a value; empty when absent. Thread: the check's own. */
  aegis_str (*metadata)(aegis_cx* cx, aegis_place place, aegis_str key);

  /* The elements of a constant, folded ones too, up to 1 KiB (rules with AEGIS_RULE_WEIGHTS: 1 MiB); `why` may be
     null. Thread: the check's own. */
  const aegis_tensor* (*constant)(aegis_cx* cx, aegis_value value, aegis_absence* why);
  /* The elements of a small integer value as aegis_dim, when shapes tell them. Thread: the check's own. */
  aegis_list (*shape_value)(aegis_cx* cx, aegis_value value);

  /* Is the extent a multiple of `n`? Thread: the check's own. */
  aegis_answer (*divides)(aegis_cx* cx, aegis_dim dim, int64_t n);
  /* Are two extents equal? Thread: the check's own. */
  aegis_answer (*equals)(aegis_cx* cx, aegis_dim a, aegis_dim b);
  /* Is the extent at least `n`? Thread: the check's own. */
  aegis_answer (*at_least)(aegis_cx* cx, aegis_dim dim, int64_t n);
  /* A dim for people: "1023", "batch", "?". Thread: the check's own. */
  aegis_str (*dim_text)(aegis_cx* cx, aegis_dim dim);
  /* The names (aegis_str) of the symbols that a dim depends on. Thread: the check's own. */
  aegis_list (*dim_symbols)(aegis_cx* cx, aegis_dim dim);

  /* What this call judges the model as. Thread: the check's own. */
  const aegis_view* (*view)(aegis_cx* cx);
  /* The hardware of the view. Thread: the check's own. */
  const aegis_target* (*target)(aegis_cx* cx);
  /* The target's rate in a type; null when it lists none. Thread: the check's own. */
  const aegis_rate* (*rate)(aegis_cx* cx, aegis_dtype dtype);
  /* The multiples that the target wants in a type. Thread: the check's own. */
  aegis_status (*alignment)(aegis_cx* cx, aegis_dtype dtype, aegis_alignment* out);

  /* A fact about a place; null with a reason in `why` (may be null). `id` is a literal that the rule's `facts` name.
     Thread: the check's own. */
  const void* (*fact)(aegis_cx* cx, const char* id, aegis_place place, aegis_absence* why);
  /* A question with arguments; UNSUPPORTED when there is no answer. Thread: the check's own. */
  aegis_status (*query)(aegis_cx* cx, const char* id, const void* in, void* out);

  /* The value of one of the rule's own options; INVALID for a key that it does not declare. Thread: the check's own. */
  aegis_status (*option)(aegis_cx* cx, const char* key, aegis_option_value* out);

  /* Opens a finding; it counts if `check` returns AEGIS_OK. AEGIS_NONE when refused. Thread: the check's own. */
  aegis_finding (*report)(aegis_cx* cx, const aegis_report* report);
  /* Adds a key with a value; at most 64. Thread: the check's own. */
  aegis_status (*evidence)(aegis_cx* cx, aegis_finding finding, const aegis_evidence* evidence);
  /* States what is to be won. Thread: the check's own. */
  aegis_status (*gain)(aegis_cx* cx, aegis_finding finding, const aegis_gain* gain);
  /* Adds a sentence of advice. Thread: the check's own. */
  aegis_status (*advise)(aegis_cx* cx, aegis_finding finding, aegis_str advice);
  /* Adds a related place with its role and bytes (NaN: none); at most 64. Thread: the check's own. */
  aegis_status (*relate)(aegis_cx* cx, aegis_finding finding, aegis_place place, aegis_str role, double bytes);
  /* Asks for a change (requests.h), preferred first, at most 8; refused above the rule's safety.
     Thread: the check's own. */
  aegis_status (*request)(aegis_cx* cx, aegis_finding finding, const char* id, const void* request,
                          aegis_safety safety);

  /* 1 when the run is being stopped: return soon. Thread: the check's own. */
  uint32_t (*cancelled)(aegis_cx* cx);
  /* A line for the log, not a finding. Thread: the check's own. */
  void (*log)(aegis_cx* cx, aegis_severity severity, aegis_str text);
  /* Says why `check` is about to return something other than AEGIS_OK. Thread: the check's own. */
  void (*fail)(aegis_cx* cx, aegis_str text);
  /* A table that this minor version does not promise, or null. Thread: any, without cx. */
  const void* (*get_extension)(const char* id);
} aegis_api;

/* ---- rules and packs -------------------------------------------------------------------------------------------- */

enum { AEGIS_UNIT_NODE = 0, AEGIS_UNIT_GROUP = 1, AEGIS_UNIT_MODEL = 2 };
/* What one call of `check` is about. */
typedef struct aegis_unit {
  uint32_t struct_size;
  uint32_t kind;   /* AEGIS_UNIT_* */
  aegis_node node; /* GROUP: the first member */
  aegis_group group;
  aegis_nodes members; /* GROUP */
} aegis_unit;

/* An ONNX graph in text that the rule must flag `expect` times (bad) or never (good). Examples run as tests. */
typedef struct aegis_example {
  uint32_t struct_size AEGIS_SIZE(aegis_example);
  int32_t expect AEGIS_DEFAULT(1);
  const char* target AEGIS_DEFAULT(NULL);  /* null: a100_sxm_80 */
  const char* as AEGIS_DEFAULT(NULL);      /* null: as stored */
  const char* runtime AEGIS_DEFAULT(NULL); /* null: any */
  const char* with AEGIS_DEFAULT(NULL);    /* more command line: "--no-assume" */
  const char* weights AEGIS_DEFAULT(NULL); /* inputs that become seeded initializers: "w", "t=normal(100,1)" */
  const char* text AEGIS_DEFAULT(NULL);
} aegis_example;

enum {
  AEGIS_RULE_STABLE = 1u << 0,      /* on by default */
  AEGIS_RULE_WEIGHTS = 1u << 1,     /* reads weights: runs under --weights */
  AEGIS_RULE_DATA = 1u << 2,        /* needs a data run: --calibrate */
  AEGIS_RULE_PINS = 1u << 3,        /* a recast keeps anchor and related nodes wide */
  AEGIS_RULE_TARGET_FREE = 1u << 4, /* the same for every view: runs once */
  AEGIS_RULE_EFFICIENCY = 1u << 5,  /* the host lowers warnings that cannot pay */
  AEGIS_RULE_SERIAL = 1u << 6,      /* one call at a time */
  AEGIS_RULE_DRAFT = 1u << 7        /* may use aegis.draft.* */
};
typedef struct aegis_rule {
  uint32_t struct_size AEGIS_SIZE(aegis_rule);
  uint32_t zero AEGIS_DEFAULT(0);
  const char* code AEGIS_DEFAULT(NULL); /* the pack's prefix and three digits: "AL101" */
  uint32_t unit AEGIS_DEFAULT(AEGIS_UNIT_NODE);
  aegis_severity severity AEGIS_DEFAULT(AEGIS_INFO);
  aegis_safety safety AEGIS_DEFAULT(AEGIS_NO_FIX); /* the most that its Requests may do */
  uint32_t flags AEGIS_DEFAULT(0);                 /* AEGIS_RULE_* */
  aegis_list ops AEGIS_DEFAULT({}); /* const char*: "MatMul", "com.microsoft::FusedMatMul", "@layer_norm"; empty: all */
  aegis_list facts AEGIS_DEFAULT({});    /* const char*: ids of the facts that it may ask for */
  aegis_list silences AEGIS_DEFAULT({}); /* const char*: codes dropped where this rule fires */
  aegis_list options AEGIS_DEFAULT({});  /* aegis_option */
  aegis_status (*check)(const aegis_api* api, aegis_cx* cx, const aegis_unit* unit) AEGIS_DEFAULT(NULL);
  const char* doc AEGIS_DEFAULT(NULL); /* Markdown: What, Why, Fix */
  aegis_list bad AEGIS_DEFAULT({});    /* aegis_example */
  aegis_list good AEGIS_DEFAULT({});   /* aegis_example */
} aegis_rule;

typedef struct aegis_entry {
  const char* name; /* the file's stem: "unaligned_gemm_k" */
  const aegis_rule* rule;
} aegis_entry;

typedef struct aegis_pack {
  uint32_t struct_size AEGIS_SIZE(aegis_pack);
  uint32_t magic AEGIS_DEFAULT(AEGIS_PACK_MAGIC);
  uint32_t abi_major AEGIS_DEFAULT(AEGIS_ABI_MAJOR);
  uint32_t abi_minor AEGIS_DEFAULT(AEGIS_ABI_MINOR);
  const char* name AEGIS_DEFAULT(NULL);
  const char* vendor AEGIS_DEFAULT(NULL);
  const char* version AEGIS_DEFAULT(NULL);
  const char* prefix AEGIS_DEFAULT(NULL); /* of its codes; AL MB PR AM ST IO PK are taken */
  aegis_list rules AEGIS_DEFAULT({});     /* aegis_entry */
  /* Called once before any check; may be null. Thread: the one that loads the pack. */
  aegis_status (*init)(const aegis_api* api) AEGIS_DEFAULT(NULL);
  /* Called once after the last check; may be null. Thread: the one that loaded the pack. */
  void (*stop)(void) AEGIS_DEFAULT(NULL);
} aegis_pack;

/* A pack defines exactly this one symbol; the number is the major version:
     AEGIS_EXPORT extern const aegis_pack aegis_pack_v1;
     const aegis_pack aegis_pack_v1 = { ... }; */

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* AEGIS_AEGIS_H */
