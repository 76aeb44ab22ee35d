#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  for (const aegis_value input : items(info ? info->inputs : aegis_values{})) {
    const auto* stats = cx.narrow(input) == &half ? cx.fact<aegis_weight_stats>(input) : nullptr;
    if (!stats || !(stats->fp16.subnormal_l1_share > cx.option("max_share"))) continue;
    cx.finding(node)
        .message("subnormal fp16 weights carry {} of a channel", stats->fp16.subnormal_l1_share)
        .evidence("l1_share", AEGIS_FRACTION, stats->fp16.subnormal_l1_share)
        .relate(input, "weight")
        .request(ChooseType{.dtype = AEGIS_DTYPE_BFLOAT16}, Safety::lossy);
  }
}

static constexpr Option options[] = {
    {.key = "max_share", .value = 0.01, .max = 1, .help = "the share of a channel's magnitudes that is let pass"}};
static constexpr Example bad[] = {
    {.as = "fp16",
     .weights = "w=const(1e-5)",
     .text = "g (float[8,64] x, float[64,64] w) => (float[8,64] y) { y = MatMul(x, w) }"}};
static constexpr Example good[] = {
    {.as = "fp16",
     .weights = "w=const(0.1)",
     .text = "g (float[8,64] x, float[64,64] w) => (float[8,64] y) { y = MatMul(x, w) }"}};

AEGIS_RULE(subnormal_weights) = {
    .code = "PR303",
    .severity = AEGIS_WARNING,
    .safety = AEGIS_LOSSY,
    .flags = AEGIS_RULE_WEIGHTS,
    .facts = facts<aegis_type_group, aegis_weight_stats>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "A channel of weights lives below the smallest normal FP16 number.\n\n"
        "## Why\n"
        "Subnormal numbers lose digits the smaller they are, and some hardware flushes them to zero.\n\n"
        "## Fix\n"
        "BF16, or a power of two that a later node absorbs.",
    .bad = list(bad),
    .good = list(good)};
