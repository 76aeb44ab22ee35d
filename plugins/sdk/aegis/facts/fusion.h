/* Fact fusion, of a group or node: the nodes that a fusing runtime runs as one kernel. */
#ifndef AEGIS_FACTS_FUSION_H
#define AEGIS_FACTS_FUSION_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_FUSION "aegis.fact.fusion/1"

enum {
  AEGIS_FUSION_ALONE = 0,
  AEGIS_FUSION_VIEW = 1,
  AEGIS_FUSION_EPILOGUE = 2,
  AEGIS_FUSION_CHAIN = 3,
  AEGIS_FUSION_NORM = 4,
  AEGIS_FUSION_ATTENTION = 5,
  AEGIS_FUSION_QDQ = 6,
  AEGIS_FUSION_FOLDED = 7,
  AEGIS_FUSION_CONCAT = 8
};

typedef struct aegis_fusion {
  uint32_t struct_size;
  uint32_t id;
  uint32_t kind;                               /* AEGIS_FUSION_* */
  uint32_t copies;                             /* equal groups, this one included */
  aegis_nodes nodes;                           /* of one copy */
  aegis_pair kernels, bytes, time_us, percent; /* of all copies */
} aegis_fusion;

#ifdef __cplusplus
}
#endif

#endif
