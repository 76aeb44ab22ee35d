/* Fact external, of a constant or EPContext node: bytes that lie in another file. */
#ifndef AEGIS_FACTS_EXTERNAL_H
#define AEGIS_FACTS_EXTERNAL_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_EXTERNAL "aegis.fact.external/1"

enum {
  AEGIS_EXTERNAL_NO_LENGTH = 1u << 0,
  AEGIS_EXTERNAL_OVERLAP = 1u << 1,
  AEGIS_EXTERNAL_MISALIGNED = 1u << 2,
  AEGIS_EXTERNAL_CHECKSUM = 1u << 3, /* the checksum is wrong; needs AEGIS_RULE_WEIGHTS */
  AEGIS_EXTERNAL_BAD_KEY = 1u << 4,
  AEGIS_EXTERNAL_LINKED = 1u << 5,
  AEGIS_EXTERNAL_ESCAPES = 1u << 6
};

typedef struct aegis_external {
  uint32_t struct_size;
  uint32_t flags; /* AEGIS_EXTERNAL_* */
  aegis_str location, detail;
  aegis_span span;
  aegis_value overlaps;
  uint32_t zero;
} aegis_external;

#ifdef __cplusplus
}
#endif

#endif
