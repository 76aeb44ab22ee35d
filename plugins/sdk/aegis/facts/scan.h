/* Facts scan and text, of the model: what a search of its bytes and of its texts found. */
#ifndef AEGIS_FACTS_SCAN_H
#define AEGIS_FACTS_SCAN_H

#include "../aegis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AEGIS_FACT_SCAN "aegis.fact.scan/1" /* inside tensors: needs AEGIS_RULE_WEIGHTS */
#define AEGIS_FACT_TEXT "aegis.fact.text/1"

enum {
  AEGIS_SCAN_UNKNOWN_FIELD = 0,
  AEGIS_SCAN_EXECUTABLE = 1,
  AEGIS_SCAN_PICKLE = 2,
  AEGIS_SCAN_ARCHIVE = 3,
  AEGIS_TEXT_CONTROL = 16,
  AEGIS_TEXT_BIDI = 17,
  AEGIS_TEXT_CONFUSABLE = 18,
  AEGIS_TEXT_INVALID_UTF8 = 19,
  AEGIS_TEXT_PATH = 32,
  AEGIS_TEXT_ADDRESS = 33,
  AEGIS_TEXT_SECRET = 34
};

typedef struct aegis_hit {
  uint32_t kind; /* AEGIS_SCAN_*, AEGIS_TEXT_* */
  uint32_t zero;
  aegis_place at;
  aegis_str field;
  aegis_str masked; /* the text with its secret part hidden */
  aegis_span span;
} aegis_hit;

typedef struct aegis_scan {
  uint32_t struct_size;
  uint32_t zero;
  aegis_list list; /* aegis_hit */
} aegis_scan;

typedef struct aegis_text {
  uint32_t struct_size;
  uint32_t zero;
  aegis_list list; /* aegis_hit */
} aegis_text;

#ifdef __cplusplus
}
#endif

#endif
