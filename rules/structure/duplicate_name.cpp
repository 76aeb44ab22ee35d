#include <aegis/rule.hpp>
#include <aegis/rule/places.hpp>

using namespace aegis::sdk;

static void check(Context& cx) {
  const auto* found = cx.fact<aegis_defects>();
  if (!found) return;
  for (const auto& defect : Items<aegis_defect>(found->list)) {
    if (defect.kind == AEGIS_DEFECT_TWO_PRODUCERS) {
      Finding finding = finding_at(cx, defect.at)
                            .certainty(AEGIS_CERTAIN)
                            .message("`{}` is defined a second time", defect.name)
                            .advise("give one of the two values another name");
      relate(finding, defect.other, "first");
    } else if (defect.kind == AEGIS_DEFECT_TWO_INITIALIZERS) {
      finding_at(cx, defect.at)
          .certainty(AEGIS_CERTAIN)
          .message("two initializers are called `{}`", defect.name)
          .advise("give one of the two another name");
    } else if (defect.kind == AEGIS_DEFECT_REPEATED_FIELD) {
      finding_at(cx, defect.at)
          .certainty(AEGIS_CERTAIN)
          .message("the {} stands {} times, expected once: readers differ in which one they take", defect.name,
                   defect.number)
          .evidence("times", AEGIS_PLAIN, defect.number)
          .advise("keep one of them");
    }
  }
}

static constexpr Example bad[] = {
    {.text = "g (float[4] x) => (float[4] y) { y = Relu(x) y = Exp(x) }"},
    {.text = "g (float[4] x) => (float[4] y) { x = Relu(x) y = Exp(x) }"},
    {.text = "<ir_version: 10, opset_import: [\"\" : 21, \"\" : 20]> g (float[4] x) => (float[4] y) { y = Relu(x) }"}};
static constexpr Example good[] = {{.text = "g (float[4] x) => (float[4] y) { z = Relu(x) y = Exp(z) }"}};

AEGIS_RULE(duplicate_name) = {
    .code = "ST502",
    .unit = AEGIS_UNIT_MODEL,
    .severity = AEGIS_ERROR,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_TARGET_FREE,
    .facts = facts<aegis_defects>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "Two things have one name where the format allows one: values of a scope, initializers, imported opsets, "
        "metadata entries, functions, or a field that may stand once.\n\n"
        "## Why\n"
        "One reader takes the first, another the last: the file means different things to different programs. No pass "
        "runs on it.\n\n"
        "## Fix\n"
        "Give one of the two another name, or export the model again.",
    .bad = list(bad),
    .good = list(good)};
