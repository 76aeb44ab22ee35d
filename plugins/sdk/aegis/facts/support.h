/* Fact support, of a node: does the view's runtime have a kernel for it in its type. */
#ifndef AEGIS_FACTS_SUPPORT_H
#define AEGIS_FACTS_SUPPORT_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_SUPPORT "aegis.fact.support/1"

enum {
  AEGIS_KERNEL_UNKNOWN = 0,
  AEGIS_KERNEL_YES = 1,
  AEGIS_KERNEL_NO = 2,
  AEGIS_KERNEL_BODY = 3, /* by its function body */
  AEGIS_KERNEL_CAST = 4  /* the runtime inserts Casts */
};
enum { AEGIS_ACCUMULATES_UNKNOWN = 0, AEGIS_ACCUMULATES_FP32 = 1, AEGIS_ACCUMULATES_TYPE = 2 };
enum { AEGIS_PLACEMENT_UNKNOWN = 0, AEGIS_PLACEMENT_DEVICE = 1, AEGIS_PLACEMENT_HOST = 2, AEGIS_PLACEMENT_NEITHER = 3 };
enum {
  AEGIS_QUIRK_ABSENT_BOUND = 1u << 0, /* an absent Clip bound is read wrong */
  AEGIS_QUIRK_SCALE_TYPE = 1u << 1    /* a Q/DQ scale must have the type of x */
};

typedef struct aegis_support {
  uint32_t struct_size;
  uint32_t kernel;      /* AEGIS_KERNEL_* */
  uint32_t accumulates; /* AEGIS_ACCUMULATES_* */
  uint32_t placement;   /* AEGIS_PLACEMENT_* */
  aegis_dtype dtype;    /* the type asked about */
  uint32_t syncs;       /* 1: its output's extent is known only after it ran */
  uint32_t quirks;      /* AEGIS_QUIRK_* */
  uint32_t zero;
  int64_t schema_floor; /* first opset whose schema takes the type in every float slot that needs it; 0: never, -1:
                           unknown */
  int64_t first_gap;    /* first opset for which the runtime has no kernel; 0: none known */
  aegis_str body_op;    /* the operator of the body that has no kernel */
} aegis_support;

#ifdef __cplusplus
}
#endif

#endif
