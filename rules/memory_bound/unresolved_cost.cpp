#include <aegis/rule.hpp>

using namespace aegis::sdk;

static std::string_view why(aegis_absence absence) {
  switch (absence) {
    case AEGIS_UNKNOWN_DIM: return "symbolic dim";
    case AEGIS_UNKNOWN_OP: return "unknown op";
    case AEGIS_INFERENCE_FAILED: return "inference failed";
    case AEGIS_UNKNOWN_TRIPS: return "unknown trips";
    default: return "another cause";
  }
}

static void check(Context& cx) {
  const auto* seen = cx.fact<aegis_coverage>();
  if (!seen || seen->nodes_unresolved == 0) return;
  auto found = cx.finding().message("{} of {} nodes have no cost", seen->nodes_unresolved, seen->nodes_total);
  found.evidence("nodes_covered", AEGIS_NODES, seen->nodes_covered)
      .evidence("nodes_total", AEGIS_NODES, seen->nodes_total)
      .evidence("flops_percent", AEGIS_PERCENT, seen->flops_percent);
  for (const auto& w : Items<aegis_waiting>(seen->symbols)) {
    found.evidence("symbols", view(w.symbol), AEGIS_NODES, w.nodes);
  }
  for (const auto& c : Items<aegis_cause>(seen->causes)) found.evidence("causes", why(c.absence), AEGIS_NODES, c.nodes);
  found.advise("bind the symbols: --bind, or [shapes] in aegis.toml");
}

static constexpr Example bad[] = {
    {.with = "--no-assume", .text = "g (float[batch,3,h,w] x) => (float[batch,3,h,w] y) { y = Relu(x) }"}};
static constexpr Example good[] = {{.text = "g (float[8,4] x) => (float[8,4] y) { y = Relu(x) }"}};

AEGIS_RULE(unresolved_cost) = {
    .code = "MB211",
    .unit = AEGIS_UNIT_MODEL,
    .severity = AEGIS_INFO,
    .flags = AEGIS_RULE_STABLE,
    .facts = facts<aegis_coverage>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "Some nodes have no predicted cost: a dim is symbolic, an operator is unknown, or inference failed.\n\n"
        "## Why\n"
        "What cannot be counted is in no sum and no share. A silent rule does not mean that those nodes are fine.\n\n"
        "## Fix\n"
        "Bind the symbols that the finding lists.",
    .bad = list(bad),
    .good = list(good)};
