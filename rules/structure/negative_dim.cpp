#include <aegis/rule.hpp>
#include <aegis/rule/places.hpp>

using namespace aegis::sdk;

static void check(Context& cx) {
  const auto* found = cx.fact<aegis_defects>();
  if (!found) return;
  for (const auto& defect : Items<aegis_defect>(found->list)) {
    if (defect.kind != AEGIS_DEFECT_NEGATIVE_DIM) continue;
    finding_at(cx, defect.at)
        .certainty(AEGIS_CERTAIN)
        .message("`{}` is declared with the extent {}; it is treated as unknown", defect.name, defect.number)
        .evidence("extent", AEGIS_ELEMENTS, defect.number)
        .advise("leave an unknown extent out, or give it a name");
  }
}

static constexpr Example bad[] = {{.text = "g (float[-1,4] x) => (float[4] y) { y = ReduceSum(x) }"}};
static constexpr Example good[] = {{.text = "g (float[n,4] x) => (float[n,4] y) { y = Relu(x) }"},
                                   {.text = "g (float[?,4] x) => (float[?,4] y) { y = Relu(x) }"}};

AEGIS_RULE(negative_dim) = {
    .code = "ST504",
    .unit = AEGIS_UNIT_MODEL,
    .severity = AEGIS_INFO,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_TARGET_FREE,
    .facts = facts<aegis_defects>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A declared extent is negative. Some exporters write -1 for an extent that they do not know.\n\n"
        "## Why\n"
        "The format has no negative extents: readers refuse the file, or compute sizes that make no sense. Aegis takes "
        "the extent for unknown.\n\n"
        "## Fix\n"
        "Leave the extent out, or give it a name.",
    .bad = list(bad),
    .good = list(good)};
