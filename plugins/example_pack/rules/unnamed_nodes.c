/* A model rule in C11: nodes without names, which no report, suppression or --keep can point at. */
#include <aegis/aegis.h>
#include <stdio.h>
#include <string.h>

static aegis_str text(const char* from) {
  const aegis_str out = {from, strlen(from)};
  return out;
}

static aegis_status check(const aegis_api* api, aegis_cx* cx, const aegis_unit* unit) {
  if (unit->kind != AEGIS_UNIT_MODEL) return AEGIS_INVALID;
  const aegis_nodes nodes = api->nodes(cx, text(""));
  unsigned unnamed = 0;
  for (uint64_t i = 0; i < nodes.count; ++i) {
    const aegis_node_info* info = api->node(cx, nodes.data[i]);
    if (info && info->name.size == 0) ++unnamed;
  }
  if (unnamed == 0) return AEGIS_OK;

  char message[64];
  snprintf(message, sizeof message, "%u of %llu nodes have no name", unnamed, (unsigned long long)nodes.count);
  aegis_report report = {.struct_size = sizeof report, .anchor = {AEGIS_PLACE_MODEL, 0}, .message = text(message)};
  const aegis_finding finding = api->report(cx, &report);
  aegis_evidence evidence = {.struct_size = sizeof evidence,
                             .kind = AEGIS_EVIDENCE_INT,
                             .key = text("unnamed"),
                             .unit = AEGIS_NODES,
                             .integer = unnamed};
  return api->evidence(cx, finding, &evidence);
}

static const aegis_example bad[] = {
    {.struct_size = sizeof(aegis_example), .expect = 1, .text = "g (float[4] x) => (float[4] y) { y = Relu(x) }"}};
static const aegis_example good[] = {{.struct_size = sizeof(aegis_example),
                                      .expect = 0,
                                      .text = "g (float[4] x) => (float[4] y) { [relu] y = Relu(x) }"}};

extern const aegis_rule aegis_rule_unnamed_nodes;
const aegis_rule aegis_rule_unnamed_nodes = {
    .struct_size = sizeof(aegis_rule),
    .code = "EX102",
    .unit = AEGIS_UNIT_MODEL,
    .severity = AEGIS_INFO,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_TARGET_FREE,
    .check = check,
    .doc = "## What\nNodes without names.\n\n## Why\nNothing can point at them.\n\n## Fix\nName them in the exporter.",
    .bad = {bad, 1, sizeof(aegis_example)},
    .good = {good, 1, sizeof(aegis_example)}};
