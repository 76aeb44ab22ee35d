/* Words, enumerations and frozen value types of the rule ABI. Part of aegis.h. */
#ifndef AEGIS_ABI_VALUES_H
#define AEGIS_ABI_VALUES_H

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
#define AEGIS_EXPORT AEGIS_VISIBLE /* data needs no extern "C": its name is its symbol */

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* AEGIS_ABI_VALUES_H */
