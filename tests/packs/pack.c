/* A pack of one rule that reports one finding on every model; SPOIL_* breaks one thing of its descriptor or of what
   it does. */
#include <aegis/aegis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static aegis_status check(const aegis_api* api, aegis_cx* cx, const aegis_unit* unit) {
  static const char text[] = "a finding of the test's pack";
  const aegis_report report = {.struct_size = sizeof report,
                               .anchor = {AEGIS_PLACE_MODEL, 0},
                               .message = {text, sizeof text - 1}};
  (void)unit;
#if defined SPOIL_CRASHES
  abort();
#elif defined SPOIL_HANGS
  for (;;) pause();
#elif defined SPOIL_PRINTS
  puts("noise of a pack");
  fputs("::error::noise of a pack\n", stderr);
  fflush(stdout);
#endif
  api->report(cx, &report);
  return AEGIS_OK;
}

static const aegis_rule rule = {
    .struct_size = sizeof rule,
#ifdef SPOIL_CODE
    .code = "TT1",
#else
    .code = "TT101",
#endif
#ifdef SPOIL_UNIT
    .unit = 7,
#else
    .unit = AEGIS_UNIT_MODEL,
#endif
    .severity = AEGIS_WARNING,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_TARGET_FREE,
#ifdef SPOIL_LIST
    .ops = {NULL, 3, sizeof(const char*)},
#endif
#ifndef SPOIL_CHECK
    .check = check,
#endif
    .doc = "## What\nA rule of the tests.\n"};

static const aegis_entry entries[] = {{"always", &rule}, {"again", &rule}};

#ifdef SPOIL_START
static aegis_status start(const aegis_api* api) {
  (void)api;
  return AEGIS_FAILED;
}
#endif

#ifdef SPOIL_NO_SYMBOL
#define aegis_pack_v1 aegis_pack_v2
#endif
AEGIS_EXPORT extern const aegis_pack aegis_pack_v1;
const aegis_pack aegis_pack_v1 = {
#ifdef SPOIL_SIZE
    .struct_size = 16,
#else
    .struct_size = sizeof(aegis_pack),
#endif
#ifdef SPOIL_MAGIC
    .magic = 1,
#else
    .magic = AEGIS_PACK_MAGIC,
#endif
#ifdef SPOIL_MAJOR
    .abi_major = AEGIS_ABI_MAJOR + 1,
#else
    .abi_major = AEGIS_ABI_MAJOR,
#endif
#ifdef SPOIL_MINOR
    .abi_minor = AEGIS_ABI_MINOR + 1,
#else
    .abi_minor = AEGIS_ABI_MINOR,
#endif
    .name = "test_pack",
    .vendor = "the tests",
    .version = "1.2.3",
#if defined SPOIL_PREFIX
    .prefix = "tt",
#elif defined SPOIL_RESERVED
    .prefix = "AL",
#else
    .prefix = "TT",
#endif
#ifdef SPOIL_TWICE
    .rules = {entries, 2, sizeof *entries},
#else
    .rules = {entries, 1, sizeof *entries},
#endif
#ifdef SPOIL_START
    .init = start,
#endif
};
