#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  const auto* scope = info ? cx.scope(info->scope) : nullptr;
  if (!scope || scope->kind != AEGIS_SCOPE_MAIN_GRAPH) return;  // the outermost node speaks for all inside of it
  const auto* cost = cx.fact<aegis_scope_cost>(node);
  if (!cost) return;
  if (!(cost->expanded_nodes > cx.option("max_nodes")) && !(cost->paths > cx.option("max_paths"))) return;
  cx.finding(node)
      .certainty(AEGIS_CERTAIN)
      .message("{} nodes on {} paths once its bodies and calls are written out", cost->expanded_nodes, cost->paths)
      .evidence("expanded_nodes", AEGIS_NODES, cost->expanded_nodes)
      .evidence("paths", AEGIS_PLAIN, cost->paths)
      .evidence("depth", AEGIS_PLAIN, cost->depth)
      .advise("tools that inline functions or walk every branch may not end on this model: flatten the nesting");
}

static constexpr Option options[] = {
    {.key = "max_nodes", .value = 100000, .max = 1e18, .help = "how many nodes may be written out"},
    {.key = "max_paths", .value = 256, .max = 1e18, .help = "how many ways through nested branches there may be"}};
#define AEGIS_TEN(f, g)                                                                                 \
  "<domain: \"f\", opset_import: [\"\" : 21, \"f\" : 1]> " g " (a) => (b) { b1 = f." f "(a) b2 = f." f  \
  "(b1) b3 = f." f "(b2) b4 = f." f "(b3) b5 = f." f "(b4) b6 = f." f "(b5) b7 = f." f "(b6) b8 = f." f \
  "(b7) b9 = f." f "(b8) b = f." f "(b9) } "
static constexpr Example bad[] = {
    {.text = "<ir_version: 10, opset_import: [\"\" : 21, \"f\" : 1]> g (float[4] x) => (float[4] y) { y = f.n5(x) } "
             "<domain: \"f\", opset_import: [\"\" : 21]> n0 (a) => (b) { b = Exp(a) } " AEGIS_TEN("n0", "n1")
                 AEGIS_TEN("n1", "n2") AEGIS_TEN("n2", "n3") AEGIS_TEN("n3", "n4") AEGIS_TEN("n4", "n5")}};
static constexpr Example good[] = {
    {.text = "<ir_version: 10, opset_import: [\"\" : 21, \"f\" : 1]> g (float[4] x) => (float[4] y) { y = f.n1(x) } "
             "<domain: \"f\", opset_import: [\"\" : 21]> n0 (a) => (b) { b = Exp(a) } " AEGIS_TEN("n0", "n1")}};
#undef AEGIS_TEN

AEGIS_RULE(control_flow_cost) = {
    .code = "ST506",
    .severity = AEGIS_WARNING,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_TARGET_FREE,
    .facts = facts<aegis_scope_cost>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "Nested bodies or calls of functions multiply: written out, one node of the main graph stands for very "
        "many.\n\n"
        "## Why\n"
        "Runtimes inline functions and some tools infer every branch again for each way that leads to it. A small file "
        "can keep them busy for hours or fill their memory.\n\n"
        "## Fix\n"
        "Flatten the nesting; a Loop says the same with one body.",
    .bad = list(bad),
    .good = list(good)};
