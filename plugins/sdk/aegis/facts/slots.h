/* Fact slots, of a node: which types its inputs and outputs may have, and which they have. */
#ifndef AEGIS_FACTS_SLOTS_H
#define AEGIS_FACTS_SLOTS_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_SLOTS "aegis.fact.slots/1"

enum {
  AEGIS_SLOT_OUTPUT = 1u << 0,
  AEGIS_SLOT_FREE = 1u << 1,       /* its type variable binds no other slot that is there */
  AEGIS_SLOT_FLOAT_ONLY = 1u << 2, /* FLOAT is the only float type */
  AEGIS_SLOT_OMITTED = 1u << 3
};

typedef struct aegis_slot {
  uint32_t index;   /* among the inputs, or among the outputs */
  uint32_t flags;   /* AEGIS_SLOT_* */
  int32_t variable; /* slots of one type variable share the number; -1: a fixed type */
  aegis_value value;
  aegis_dtype dtype;
  uint32_t zero;
  uint64_t allowed; /* bit n: dtype n */
} aegis_slot;

typedef struct aegis_slots {
  uint32_t struct_size;
  uint32_t mixed;  /* 1: one type variable is bound to two float types */
  aegis_list list; /* aegis_slot, inputs first */
} aegis_slots;

#ifdef __cplusplus
}
#endif

#endif
