/* Fact payload, of a constant: the bytes that it declares against those that it has. */
#ifndef AEGIS_FACTS_PAYLOAD_H
#define AEGIS_FACTS_PAYLOAD_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_PAYLOAD "aegis.fact.payload/1"

typedef struct aegis_payload {
  uint32_t struct_size;
  uint32_t field;        /* the TensorProto field that holds it */
  uint32_t extra_fields; /* data fields filled besides it */
  aegis_dtype dtype;
  double declared_bytes, actual_bytes;
  aegis_span span;
} aegis_payload;

#ifdef __cplusplus
}
#endif

#endif
