/* The rule ABI of Aegis: C11, and C++ from C++17 on.
 *
 * A rule reads a model through one table of functions (aegis_api) and reports findings. It never edits, opens files,
 * prints or keeps state. A pack of rules exports one datum, aegis_pack_v1 (at the end of this file).
 *
 * Ownership: what the host hands out is borrowed until `check` returns; what a pack hands in is copied within the call.
 * Text in descriptors is NUL-terminated and static; text at run time is aegis_str: UTF-8, not terminated, and as
 * hostile as the file it comes from.
 * Growth: a struct that begins with struct_size may get fields at its end in a minor version; AEGIS_HAS asks whether
 * the other side has one. Structs without struct_size are frozen for this major version. `zero` words are holes: write
 * 0, ignore on reading. Lists are walked by the stride of their maker.
 * Unknown: a fact that cannot be told is null with a reason (aegis_absence). Inside a fact, NaN, -1, AEGIS_NONE and
 * dims of kind AEGIS_DIM_UNKNOWN stand for what is not known; nothing unknown is ever 0.
 * Wrong arguments give null, empty, AEGIS_UNKNOWN or AEGIS_INVALID, never a crash. Functions that fill a struct fill
 * no more than the caller's struct_size.
 * Threads: a check may call the table only with the aegis_cx it was given, on the thread it was called on, until it
 * returns. Many checks run at once. Ids stay the same for a whole run.
 */
#ifndef AEGIS_AEGIS_H
#define AEGIS_AEGIS_H

#include "abi/graph.h"
#include "abi/report.h"
#include "abi/values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the function table ----------------------------------------------------------------------------------------- */

typedef struct aegis_cx aegis_cx; /* one call of `check` */

/* Append-only. Test for a later function with AEGIS_HAS(api, aegis_api, function). */
typedef struct aegis_api {
  uint32_t struct_size;
  uint32_t abi_minor;

  /* The model as a whole. Thread: the check's own. */
  const aegis_model_info* (*model)(aegis_cx* cx);
  /* A scope by its id; null for a wrong id. Thread: the check's own. */
  const aegis_scope_info* (*scope)(aegis_cx* cx, aegis_scope scope);
  /* A node by its id; null for a wrong id. Thread: the check's own. */
  const aegis_node_info* (*node)(aegis_cx* cx, aegis_node node);
  /* A value by its id; null for a wrong id. Thread: the check's own. */
  const aegis_value_info* (*value)(aegis_cx* cx, aegis_value value);
  /* All scopes, outer ones first. Thread: the check's own. */
  aegis_scopes (*scopes)(aegis_cx* cx);
  /* The nodes of an operator ("MatMul", "com.microsoft::FusedMatMul") in all scopes; empty text: all nodes.
     Thread: the check's own. */
  aegis_nodes (*nodes)(aegis_cx* cx, aegis_str op);
  /* An attribute, stored or the schema's default; UNSUPPORTED when there is neither. Thread: the check's own. */
  aegis_status (*attribute)(aegis_cx* cx, aegis_node node, aegis_str name, aegis_attribute* out);
  /* A metadata text of the model, a node or a value; empty when absent. Thread: the check's own. */
  aegis_str (*metadata)(aegis_cx* cx, aegis_place place, aegis_str key);

  /* The elements of a constant, folded ones too, up to 1 KiB (rules with AEGIS_RULE_WEIGHTS: 1 MiB); `why` may be
     null. Thread: the check's own. */
  const aegis_tensor* (*constant)(aegis_cx* cx, aegis_value value, aegis_absence* why);
  /* The elements of a small integer value as aegis_dim, when shapes tell them. Thread: the check's own. */
  aegis_list (*shape_value)(aegis_cx* cx, aegis_value value);

  /* Is the extent a multiple of `n`? Thread: the check's own. */
  aegis_answer (*divides)(aegis_cx* cx, aegis_dim dim, int64_t n);
  /* Are two extents equal? Thread: the check's own. */
  aegis_answer (*equals)(aegis_cx* cx, aegis_dim a, aegis_dim b);
  /* Is the extent at least `n`? Thread: the check's own. */
  aegis_answer (*at_least)(aegis_cx* cx, aegis_dim dim, int64_t n);
  /* A dim for people: "1023", "batch", "?". Thread: the check's own. */
  aegis_str (*dim_text)(aegis_cx* cx, aegis_dim dim);
  /* The names (aegis_str) of the symbols that a dim depends on. Thread: the check's own. */
  aegis_list (*dim_symbols)(aegis_cx* cx, aegis_dim dim);

  /* What this call judges the model as. Thread: the check's own. */
  const aegis_view* (*view)(aegis_cx* cx);
  /* The hardware of the view. Thread: the check's own. */
  const aegis_target* (*target)(aegis_cx* cx);
  /* The target's rate in a type; null when it lists none. Thread: the check's own. */
  const aegis_rate* (*rate)(aegis_cx* cx, aegis_dtype dtype);
  /* The multiples that the target wants in a type. Thread: the check's own. */
  aegis_status (*alignment)(aegis_cx* cx, aegis_dtype dtype, aegis_alignment* out);

  /* A fact about a place; null with a reason in `why` (may be null). `id` is a literal that the rule's `facts` name.
     Thread: the check's own. */
  const void* (*fact)(aegis_cx* cx, const char* id, aegis_place place, aegis_absence* why);
  /* A question with arguments; UNSUPPORTED when there is no answer. Thread: the check's own. */
  aegis_status (*query)(aegis_cx* cx, const char* id, const void* in, void* out);

  /* The value of one of the rule's own options; INVALID for a key that it does not declare. Thread: the check's own. */
  aegis_status (*option)(aegis_cx* cx, const char* key, aegis_option_value* out);

  /* Opens a finding; it counts if `check` returns AEGIS_OK. AEGIS_NONE when refused. Thread: the check's own. */
  aegis_finding (*report)(aegis_cx* cx, const aegis_report* report);
  /* Adds a key with a value; at most 64. Thread: the check's own. */
  aegis_status (*evidence)(aegis_cx* cx, aegis_finding finding, const aegis_evidence* evidence);
  /* States what is to be won. Thread: the check's own. */
  aegis_status (*gain)(aegis_cx* cx, aegis_finding finding, const aegis_gain* gain);
  /* Adds a sentence of advice. Thread: the check's own. */
  aegis_status (*advise)(aegis_cx* cx, aegis_finding finding, aegis_str advice);
  /* Adds a related place with its role and bytes (NaN: none); at most 64. Thread: the check's own. */
  aegis_status (*relate)(aegis_cx* cx, aegis_finding finding, aegis_place place, aegis_str role, double bytes);
  /* Asks for a change (requests.h), preferred first, at most 8; refused above the rule's safety.
     Thread: the check's own. */
  aegis_status (*request)(aegis_cx* cx, aegis_finding finding, const char* id, const void* request,
                          aegis_safety safety);

  /* 1 when the run is being stopped: return soon. Thread: the check's own. */
  uint32_t (*cancelled)(aegis_cx* cx);
  /* A line for the log, not a finding. Thread: the check's own. */
  void (*log)(aegis_cx* cx, aegis_severity severity, aegis_str text);
  /* Says why `check` is about to return something other than AEGIS_OK. Thread: the check's own. */
  void (*fail)(aegis_cx* cx, aegis_str text);
  /* A table that this minor version does not promise, or null. Thread: any, without cx. */
  const void* (*get_extension)(const char* id);
} aegis_api;

/* ---- rules and packs -------------------------------------------------------------------------------------------- */

enum { AEGIS_UNIT_NODE = 0, AEGIS_UNIT_GROUP = 1, AEGIS_UNIT_MODEL = 2 };
/* What one call of `check` is about. */
typedef struct aegis_unit {
  uint32_t struct_size;
  uint32_t kind;   /* AEGIS_UNIT_* */
  aegis_node node; /* GROUP: the first member */
  aegis_group group;
  aegis_nodes members; /* GROUP */
} aegis_unit;

/* An ONNX graph in text that the rule must flag `expect` times (bad) or never (good). Examples run as tests. */
typedef struct aegis_example {
  uint32_t struct_size AEGIS_SIZE(aegis_example);
  int32_t expect AEGIS_DEFAULT(1);
  const char* target AEGIS_DEFAULT(NULL);  /* null: a100_sxm_80 */
  const char* as AEGIS_DEFAULT(NULL);      /* null: as stored */
  const char* runtime AEGIS_DEFAULT(NULL); /* null: any */
  const char* with AEGIS_DEFAULT(NULL);    /* more command line: "--no-assume" */
  const char* weights AEGIS_DEFAULT(NULL); /* inputs that become seeded initializers: "w", "t=normal(100,1)" */
  const char* text AEGIS_DEFAULT(NULL);
} aegis_example;

enum {
  AEGIS_RULE_STABLE = 1u << 0,      /* on by default */
  AEGIS_RULE_WEIGHTS = 1u << 1,     /* reads weights: runs under --weights */
  AEGIS_RULE_DATA = 1u << 2,        /* needs a data run: --calibrate */
  AEGIS_RULE_PINS = 1u << 3,        /* a recast keeps anchor and related nodes wide */
  AEGIS_RULE_TARGET_FREE = 1u << 4, /* the same for every view: runs once */
  AEGIS_RULE_EFFICIENCY = 1u << 5,  /* the host lowers warnings that cannot pay */
  AEGIS_RULE_SERIAL = 1u << 6,      /* one call at a time */
  AEGIS_RULE_DRAFT = 1u << 7        /* may use aegis.draft.* */
};
typedef struct aegis_rule {
  uint32_t struct_size AEGIS_SIZE(aegis_rule);
  uint32_t zero AEGIS_DEFAULT(0);
  const char* code AEGIS_DEFAULT(NULL); /* the pack's prefix and three digits: "AL101" */
  uint32_t unit AEGIS_DEFAULT(AEGIS_UNIT_NODE);
  aegis_severity severity AEGIS_DEFAULT(AEGIS_INFO);
  aegis_safety safety AEGIS_DEFAULT(AEGIS_NO_FIX); /* the most that its Requests may do */
  uint32_t flags AEGIS_DEFAULT(0);                 /* AEGIS_RULE_* */
  aegis_list ops AEGIS_DEFAULT({}); /* const char*: "MatMul", "com.microsoft::FusedMatMul", "@layer_norm"; empty: all */
  aegis_list facts AEGIS_DEFAULT({});    /* const char*: ids of the facts that it may ask for */
  aegis_list silences AEGIS_DEFAULT({}); /* const char*: codes dropped where this rule fires */
  aegis_list options AEGIS_DEFAULT({});  /* aegis_option */
  aegis_status (*check)(const aegis_api* api, aegis_cx* cx, const aegis_unit* unit) AEGIS_DEFAULT(NULL);
  const char* doc AEGIS_DEFAULT(NULL); /* Markdown: What, Why, Fix */
  aegis_list bad AEGIS_DEFAULT({});    /* aegis_example */
  aegis_list good AEGIS_DEFAULT({});   /* aegis_example */
} aegis_rule;

typedef struct aegis_entry {
  const char* name; /* the file's stem: "unaligned_gemm_k" */
  const aegis_rule* rule;
} aegis_entry;

typedef struct aegis_pack {
  uint32_t struct_size AEGIS_SIZE(aegis_pack);
  uint32_t magic AEGIS_DEFAULT(AEGIS_PACK_MAGIC);
  uint32_t abi_major AEGIS_DEFAULT(AEGIS_ABI_MAJOR);
  uint32_t abi_minor AEGIS_DEFAULT(AEGIS_ABI_MINOR);
  const char* name AEGIS_DEFAULT(NULL);
  const char* vendor AEGIS_DEFAULT(NULL);
  const char* version AEGIS_DEFAULT(NULL);
  const char* prefix AEGIS_DEFAULT(NULL); /* of its codes; AL MB PR AM ST IO PK are taken */
  aegis_list rules AEGIS_DEFAULT({});     /* aegis_entry */
  /* Called once before any check; may be null. Thread: the one that loads the pack. */
  aegis_status (*init)(const aegis_api* api) AEGIS_DEFAULT(NULL);
  /* Called once after the last check; may be null. Thread: the one that loaded the pack. */
  void (*stop)(void) AEGIS_DEFAULT(NULL);
} aegis_pack;

/* A pack defines exactly this one symbol; the number is the major version:
     AEGIS_EXPORT extern const aegis_pack aegis_pack_v1;
     const aegis_pack aegis_pack_v1 = { ... }; */

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* AEGIS_AEGIS_H */
