#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  for (const aegis_value input : items(info ? info->inputs : aegis_values{})) {
    const FloatFormat* format = cx.narrow(input);
    const auto* stats = format ? cx.fact<aegis_weight_stats>(input) : nullptr;
    if (!stats) continue;
    const auto* role = cx.fact<aegis_role>(input);
    if (role && role->role == AEGIS_ROLE_NORM_SCALE) continue;
    const double error = format == &half ? stats->fp16.centred_rel_l2 : stats->bf16.centred_rel_l2;
    const double limit = cx.option(format == &half ? "max_rel_l2_fp16" : "max_rel_l2_bf16");
    if (!(error > limit)) continue;
    cx.finding(node)
        .certainty(AEGIS_CERTAIN)
        .message("rounding the weights to {} loses {} of what they say besides their mean", format->name, error)
        .evidence("centred_rel_l2", AEGIS_FRACTION, error)
        .relate(input, "weight")
        .request(KeepWide{.what = AEGIS_KEEP_NODE, .node = node}, Safety::exact);
  }
}

static constexpr Option options[] = {
    {.key = "max_rel_l2_bf16", .value = 1e-2, .max = 1, .help = "the relative error that is let pass in bf16"},
    {.key = "max_rel_l2_fp16", .value = 1.25e-3, .max = 1, .help = "the relative error that is let pass in fp16"}};
static constexpr Example bad[] = {
    {.as = "bf16",
     .weights = "w=normal(100,1)",
     .text = "g (float[8,64] x, float[64,64] w) => (float[8,64] y) { y = MatMul(x, w) }"}};
static constexpr Example good[] = {
    {.as = "bf16",
     .weights = "w",
     .text = "g (float[8,64] x, float[64,64] w) => (float[8,64] y) { y = MatMul(x, w) }"}};

AEGIS_RULE(weight_rounding) = {
    .code = "PR304",
    .severity = AEGIS_WARNING,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_WEIGHTS | AEGIS_RULE_PINS,
    .facts = facts<aegis_type_group, aegis_weight_stats, aegis_role>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "Weights that differ little around a large mean lose their differences when they are rounded.\n\n"
        "## Why\n"
        "Rounding errors grow with the magnitude, what the weights say lies in the differences.\n\n"
        "## Fix\n"
        "Keep the node in FLOAT.",
    .bad = list(bad),
    .good = list(good)};
