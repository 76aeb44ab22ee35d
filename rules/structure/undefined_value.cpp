#include <aegis/rule.hpp>
#include <aegis/rule/places.hpp>

using namespace aegis::sdk;

static void check(Context& cx) {
  const auto* found = cx.fact<aegis_defects>();
  if (!found) return;
  for (const auto& defect : Items<aegis_defect>(found->list)) {
    if (defect.kind == AEGIS_DEFECT_UNDEFINED && defect.at.kind != AEGIS_PLACE_NODE) {
      finding_at(cx, defect.at)
          .certainty(AEGIS_CERTAIN)
          .message("the output `{}` is made by nothing", defect.name)
          .advise("make the value, or leave the output out");
    } else if (defect.kind == AEGIS_DEFECT_UNDEFINED) {
      finding_at(cx, defect.at)
          .certainty(AEGIS_CERTAIN)
          .message("reads `{}`, which no node, input or initializer of this scope or an outer one defines", defect.name)
          .evidence("readers", AEGIS_NODES, defect.number)
          .advise("define the value, or correct the name");
    } else if (defect.kind == AEGIS_DEFECT_CYCLE) {
      finding_at(cx, defect.at)
          .certainty(AEGIS_CERTAIN)
          .message("{} nodes wait for each other in a circle: {}", defect.number, defect.name)
          .evidence("nodes", AEGIS_NODES, defect.number)
          .advise("a graph has no circles: a value of an earlier step goes through a Loop");
    } else if (defect.kind == AEGIS_DEFECT_UNSORTED) {
      finding_at(cx, defect.at)
          .severity(AEGIS_WARNING)
          .certainty(AEGIS_CERTAIN)
          .message("reads `{}` before the node that makes it: the nodes are not sorted", defect.name)
          .evidence("nodes", AEGIS_NODES, defect.number)
          .advise("a rewrite sorts the nodes");
    }
  }
}

static constexpr Example bad[] = {
    {.text = "g (float[4] x) => (float[4] y) { y = Add(x, missing) }"},
    {.text = "g (float[4] x) => (float[4] y) { y = Add(x, z) z = Relu(y) }"},
    {.text = "g (float[4] x) => (float[4] y) { y = Relu(z) z = Exp(x) }"},
    {.text = "g (bool c, float[4] x) => (float[4] z) { y = If (c) <then_branch = t () => (float[4] a) { a = Relu(x) }, "
             "else_branch = e () => (float[4] b) { b = Exp(x) }> z = Add(y, a) }"}};
static constexpr Example good[] = {
    {.text = "g (float[4] x) => (float[4] y) { z = Exp(x) y = Relu(z) }"},
    {.text = "g (bool c, float[4] x) => (float[4] y) { y = If (c) <then_branch = t () => (float[4] a) { a = Relu(x) }, "
             "else_branch = e () => (float[4] b) { b = Exp(x) }> }"}};

AEGIS_RULE(undefined_value) = {
    .code = "ST501",
    .unit = AEGIS_UNIT_MODEL,
    .severity = AEGIS_ERROR,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_TARGET_FREE,
    .facts = facts<aegis_defects>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A node reads a value that nothing makes, that is made later in the file, or that depends on the node "
        "itself.\n\n"
        "## Why\n"
        "No runtime loads such a model; nodes in a wrong order are a warning, since a rewrite sorts them. With a "
        "circle "
        "no pass runs.\n\n"
        "## Fix\n"
        "Correct the name, or export the model again. Values of a branch or loop body are not seen outside of it.",
    .bad = list(bad),
    .good = list(good)};
