/* Options of rules, findings with evidence and gain. Part of aegis.h. */
#ifndef AEGIS_ABI_REPORT_H
#define AEGIS_ABI_REPORT_H

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  AEGIS_OPTION_BOOL = 0,
  AEGIS_OPTION_INT = 1,
  AEGIS_OPTION_REAL = 2,
  AEGIS_OPTION_TEXT = 3,
  AEGIS_OPTION_CHOICE = 4
};
/* An option that a rule declares; users set it as CODE.key. Checked before any rule runs. */
typedef struct aegis_option {
  uint32_t struct_size AEGIS_SIZE(aegis_option);
  uint32_t type AEGIS_DEFAULT(AEGIS_OPTION_REAL); /* AEGIS_OPTION_* */
  const char* key AEGIS_DEFAULT(NULL);
  double value AEGIS_DEFAULT(0); /* the default of BOOL, INT, REAL */
  double min AEGIS_DEFAULT(0), max AEGIS_DEFAULT(0);
  const char* text AEGIS_DEFAULT(NULL);   /* the default of TEXT, or the choices "a|b|c", the first is the default */
  const char* budget AEGIS_DEFAULT(NULL); /* its key in [budgets] */
  const char* help AEGIS_DEFAULT(NULL);
} aegis_option;

typedef struct aegis_option_value {
  uint32_t struct_size AEGIS_SIZE(aegis_option_value);
  uint32_t type AEGIS_DEFAULT(0);
  double number AEGIS_DEFAULT(0); /* BOOL: 0 or 1; CHOICE: the index */
  aegis_str text AEGIS_DEFAULT({});
  uint32_t set AEGIS_DEFAULT(0); /* 1: the user set it */
  uint32_t zero AEGIS_DEFAULT(0);
} aegis_option_value;

typedef struct aegis_report {
  uint32_t struct_size AEGIS_SIZE(aegis_report);
  aegis_severity severity AEGIS_DEFAULT(AEGIS_SEVERITY_DEFAULT); /* DEFAULT: the rule's own */
  aegis_place anchor AEGIS_DEFAULT({});
  aegis_certainty certainty AEGIS_DEFAULT(AEGIS_UNSTATED);
  uint32_t zero AEGIS_DEFAULT(0);
  aegis_str message AEGIS_DEFAULT({}); /* at most 1 KiB */
} aegis_report;

enum {
  AEGIS_EVIDENCE_NUMBER = 0,
  AEGIS_EVIDENCE_INT = 1,
  AEGIS_EVIDENCE_TEXT = 2,
  AEGIS_EVIDENCE_BOOL = 3,
  AEGIS_EVIDENCE_NULL = 4
};
/* A key twice makes a list, with labels a map. A NaN reads as null. */
typedef struct aegis_evidence {
  uint32_t struct_size AEGIS_SIZE(aegis_evidence);
  uint32_t kind AEGIS_DEFAULT(AEGIS_EVIDENCE_NUMBER); /* AEGIS_EVIDENCE_* */
  aegis_str key AEGIS_DEFAULT({});
  aegis_str label AEGIS_DEFAULT({});
  aegis_quantity unit AEGIS_DEFAULT(AEGIS_PLAIN);
  uint32_t zero AEGIS_DEFAULT(0);
  double number AEGIS_DEFAULT(0);
  int64_t integer AEGIS_DEFAULT(0); /* INT, BOOL */
  aegis_str text AEGIS_DEFAULT({});
} aegis_evidence;

/* What following the advice should win: t(before) / t(after). */
typedef struct aegis_gain {
  uint32_t struct_size AEGIS_SIZE(aegis_gain);
  aegis_confidence confidence AEGIS_DEFAULT(AEGIS_CONFIDENCE_LOW);
  double low AEGIS_DEFAULT(1), point AEGIS_DEFAULT(1), high AEGIS_DEFAULT(1);
  double bytes_saved AEGIS_DEFAULT(0);
  aegis_regime regime AEGIS_DEFAULT(AEGIS_REGIME_BOTH);
  uint32_t zero AEGIS_DEFAULT(0);
} aegis_gain;

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* AEGIS_ABI_REPORT_H */
