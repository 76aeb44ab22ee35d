/* Fact defects, of the model or a node: what breaks the format's rules. */
#ifndef AEGIS_FACTS_DEFECTS_H
#define AEGIS_FACTS_DEFECTS_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_DEFECTS "aegis.fact.defects/1"

enum {
  AEGIS_DEFECT_UNDEFINED = 0,
  AEGIS_DEFECT_CYCLE = 1,
  AEGIS_DEFECT_UNSORTED = 2,
  AEGIS_DEFECT_TWO_PRODUCERS = 3,
  AEGIS_DEFECT_TWO_INITIALIZERS = 4,
  AEGIS_DEFECT_REPEATED_FIELD = 5,
  AEGIS_DEFECT_NEGATIVE_DIM = 6,
  AEGIS_DEFECT_OUTER_RETURN = 7,
  AEGIS_DEFECT_ARITY = 8,
  AEGIS_DEFECT_ATTRIBUTE = 9,
  AEGIS_DEFECT_SHAPES = 10,
  AEGIS_DEFECT_UNKNOWN_OP = 11,
  AEGIS_DEFECT_NO_IMPORT = 12
};

typedef struct aegis_defect {
  uint32_t kind; /* AEGIS_DEFECT_* */
  uint32_t zero;
  aegis_place at, other;
  aegis_str name;
  int64_t number;
} aegis_defect;

typedef struct aegis_defects {
  uint32_t struct_size;
  uint32_t zero;
  aegis_list list; /* aegis_defect */
} aegis_defects;

#ifdef __cplusplus
}
#endif

#endif
