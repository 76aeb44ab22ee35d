#include <aegis/rule.hpp>
#include <aegis/rule/places.hpp>

using namespace aegis::sdk;

// 0, 1, or below 0 for what is no constant of one element.
static int truth(const aegis_tensor* tensor) {
  if (!tensor || tensor->dtype != AEGIS_DTYPE_BOOL || tensor->bytes != 1) return -1;
  return *static_cast<const unsigned char*>(tensor->data) != 0;
}

static void constant_conditions(Context& cx) {
  for (const aegis_node node : cx.nodes("If")) {
    const int condition = truth(cx.constant(cx.input(node, 0)));
    if (condition < 0) continue;
    cx.finding(node)
        .certainty(AEGIS_CERTAIN)
        .message("the condition is always {}: the {} branch never runs", condition != 0 ? "true" : "false",
                 condition != 0 ? "else" : "then")
        .advise("put the branch that runs in the place of the If");
  }
}

static void check(Context& cx) {
  constant_conditions(cx);
  const auto* found = cx.fact<aegis_defects>();
  if (!found) return;
  for (const auto& defect : Items<aegis_defect>(found->list)) {
    if (defect.kind != AEGIS_DEFECT_OUTER_RETURN) continue;
    finding_at(cx, defect.at)
        .severity(AEGIS_WARNING)
        .certainty(AEGIS_CERTAIN)
        .message("a body returns `{}`, a value from outside of it", defect.name)
        .advise("return it through an Identity: some runtimes refuse the model as it is");
  }
}

static constexpr Example bad[] = {
    {.text = "g (bool c, float[4] x) => (float[4] y) { y = If (c) <then_branch = t () => (float[4] a) { a = Relu(x) }, "
             "else_branch = e () => (float[4] x) {}> }"},
    {.text = "g (float[4] x) => (float[4] y) <bool c = {1}> { y = If (c) <then_branch = t () => (float[4] a) "
             "{ a = Relu(x) }, else_branch = e () => (float[4] b) { b = Exp(x) }> }"}};
static constexpr Example good[] = {
    {.text = "g (bool c, float[4] x) => (float[4] y) { y = If (c) <then_branch = t () => (float[4] a) { a = Relu(x) }, "
             "else_branch = e () => (float[4] b) { b = Identity(x) }> }"}};

AEGIS_RULE(degenerate_subgraph) = {
    .code = "ST508",
    .unit = AEGIS_UNIT_MODEL,
    .severity = AEGIS_INFO,
    .flags = AEGIS_RULE_TARGET_FREE,
    .facts = facts<aegis_defects>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "An If whose condition is a constant, or a body that returns a value from outside of it as it is.\n\n"
        "## Why\n"
        "A branch that never runs is dead weight. Bodies that return outer values are refused by some runtimes and "
        "break tools that inline them.\n\n"
        "## Fix\n"
        "Put the branch that runs in the place of the If; return outer values through an Identity.",
    .bad = list(bad),
    .good = list(good)};
