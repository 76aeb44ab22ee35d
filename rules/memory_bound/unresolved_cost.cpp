#include <aegis/rule.hpp>
using namespace aegis::sdk;
static void check(Context& cx) {
  const auto* seen = cx.fact<aegis_coverage>();
  if (!seen || seen->nodes_unresolved == 0) return;
  auto found = cx.finding().message("{} of {} nodes have no cost", seen->nodes_unresolved, seen->nodes_total);
  for (const auto& w : Items<aegis_waiting>(seen->symbols)) found.evidence("symbols", view(w.symbol), AEGIS_NODES, w.nodes);
}
static constexpr Example bad[] = {{.with = "--no-assume", .text = "g (float[b,4] x) => (float[b,4] y) { y = Relu(x) }"}};
static constexpr Example good[] = {{.text = "g (float[8,4] x) => (float[8,4] y) { y = Relu(x) }"}};
AEGIS_RULE(unresolved_cost) = {.code = "MB211", .unit = AEGIS_UNIT_MODEL, .facts = facts<aegis_coverage>,
    .check = entry<check>, .doc = "...", .bad = list(bad), .good = list(good)};
