/* Fact type_group, of a value: the values that must share one float type, and the type planned for them. */
#ifndef AEGIS_FACTS_TYPE_GROUP_H
#define AEGIS_FACTS_TYPE_GROUP_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_TYPE_GROUP "aegis.fact.type_group/1"

enum {
  AEGIS_TYPE_GROUP_MOVE = 1u << 0,   /* only movement touches it */
  AEGIS_TYPE_GROUP_IO = 1u << 1,     /* holds a graph input or output */
  AEGIS_TYPE_GROUP_ISLAND = 1u << 2, /* wide by the author's Casts */
  AEGIS_TYPE_GROUP_PINNED = 1u << 3, /* stays wide */
  AEGIS_TYPE_GROUP_SHAPE = 1u << 4   /* shape arithmetic */
};
/* Risk classes of narrowing an operator. */
enum {
  AEGIS_RISK_NONE = 0,
  AEGIS_RISK_MOVE = 1,
  AEGIS_RISK_MAP = 2,
  AEGIS_RISK_GEMM = 3,
  AEGIS_RISK_ACCUM = 4,
  AEGIS_RISK_SQUARE = 5,
  AEGIS_RISK_NORM = 6,
  AEGIS_RISK_SOFTMAX = 7,
  AEGIS_RISK_RANGE = 8,
  AEGIS_RISK_COORD = 9,
  AEGIS_RISK_POSITION = 10,
  AEGIS_RISK_ORDER = 11,
  AEGIS_RISK_SPECTRAL = 12,
  AEGIS_RISK_QUANT = 13,
  AEGIS_RISK_RANDOM = 14,
  AEGIS_RISK_RNN = 15,
  AEGIS_RISK_CONTROL = 16,
  AEGIS_RISK_CAST = 17,
  AEGIS_RISK_LOSS = 18,
  AEGIS_RISK_FIXED = 19,
  AEGIS_RISK_ML = 20
};

typedef struct aegis_type_group {
  uint32_t struct_size;
  uint32_t id;
  uint32_t flags; /* AEGIS_TYPE_GROUP_* */
  aegis_dtype now, planned;
  uint32_t risk;    /* AEGIS_RISK_*: of the producer */
  uint64_t allowed; /* bit n: dtype n */
  aegis_nodes nodes;
  aegis_values values;
  aegis_str cause; /* why it stays wide; empty: it does not */
} aegis_type_group;

#ifdef __cplusplus
}
#endif

#endif
