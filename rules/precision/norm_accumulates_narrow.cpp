#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Node node) {
  const FloatFormat* format = cx.narrow(cx.input(node, 0));
  const auto* info = cx.node(node);
  if (!format || !info) return;
  const auto stash = static_cast<aegis_dtype>(cx.attribute(node, "stash_type", std::int64_t{AEGIS_DTYPE_FLOAT}));
  if (stash == AEGIS_DTYPE_FLOAT) return;
  const auto* reduction = cx.fact<aegis_reduction>(node);
  auto found =
      cx.finding(node).certainty(AEGIS_CERTAIN).message("{} keeps its statistics in {}", info->op, dtype_name(stash));
  if (reduction) found.evidence("n", AEGIS_ELEMENTS, reduction->n.value);
  found.request(KeepWide{.what = AEGIS_KEEP_NODE, .node = node}, Safety::exact);
}

static constexpr Example bad[] = {
    {.as = "bf16",
     .weights = "s",
     .text = "g (float[8,64] x, float[64] s) => (float[8,64] y) { y = LayerNormalization<stash_type = 16>(x, s) }"}};
static constexpr Example good[] = {
    {.as = "bf16",
     .weights = "s",
     .text = "g (float[8,64] x, float[64] s) => (float[8,64] y) { y = LayerNormalization<stash_type = 1>(x, s) }"}};

AEGIS_RULE(norm_accumulates_narrow) = {
    .code = "PR311",
    .severity = AEGIS_WARNING,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_PINS,
    .ops = ops<"LayerNormalization", "RMSNormalization", "GroupNormalization">,
    .facts = facts<aegis_type_group, aegis_reduction>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A fused normalisation is told to keep its mean and variance in a narrow type.\n\n"
        "## Why\n"
        "`stash_type` other than 1 makes a kernel sum and square with 8 or 11 bits.\n\n"
        "## Fix\n"
        "Keep the node in FLOAT.",
    .bad = list(bad),
    .good = list(good)};
