/* Fact shape_path, of a value: is it shape arithmetic, and where does it end. */
#ifndef AEGIS_FACTS_SHAPE_PATH_H
#define AEGIS_FACTS_SHAPE_PATH_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_SHAPE_PATH "aegis.fact.shape_path/1"

enum {
  AEGIS_SINK_CAST_INT = 1u << 0,
  AEGIS_SINK_RESIZE = 1u << 1,
  AEGIS_SINK_RESHAPE = 1u << 2,
  AEGIS_SINK_SLICE = 1u << 3,
  AEGIS_SINK_RANGE = 1u << 4,
  AEGIS_SINK_GATHER = 1u << 5,
  AEGIS_SINK_OTHER = 1u << 6
};

typedef struct aegis_shape_path {
  uint32_t struct_size;
  uint32_t host_side; /* 1: a few integers that a runtime keeps on the host */
  uint32_t sinks;     /* AEGIS_SINK_* */
  uint32_t length;    /* nodes from the root */
  aegis_value root;
  aegis_answer rooted_in_shape;
  aegis_nodes nodes;
} aegis_shape_path;

#ifdef __cplusplus
}
#endif

#endif
