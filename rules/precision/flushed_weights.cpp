#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  for (const aegis_value input : items(info ? info->inputs : aegis_values{})) {
    const auto* stats = cx.narrow(input) == &half ? cx.fact<aegis_weight_stats>(input) : nullptr;
    if (!stats || !(stats->fp16.flushed > 0)) continue;
    const double share = 100 * stats->fp16.flushed / stats->count;
    const bool much = share > cx.option("max_percent") || stats->fp16.flushed_channel_share > 0;
    cx.finding(node)
        .severity(much ? AEGIS_WARNING : AEGIS_INFO)
        .message("{} weights become 0 in fp16", stats->fp16.flushed)
        .evidence("flushed", AEGIS_ELEMENTS, stats->fp16.flushed)
        .evidence("share", AEGIS_PERCENT, share)
        .relate(input, "weight")
        .request(ChooseType{.dtype = AEGIS_DTYPE_BFLOAT16}, Safety::lossy);
  }
}

static constexpr Option options[] = {{.key = "max_percent",
                                      .value = 0.1,
                                      .max = 100,
                                      .help = "the share of flushed weights that is let pass, in percent"}};
static constexpr Example bad[] = {
    {.as = "fp16",
     .weights = "w=const(1e-9)",
     .text = "g (float[8,64] x, float[64,64] w) => (float[8,64] y) { y = MatMul(x, w) }"}};
static constexpr Example good[] = {
    {.as = "fp16",
     .weights = "w=const(0.02)",
     .text = "g (float[8,64] x, float[64,64] w) => (float[8,64] y) { y = MatMul(x, w) }"}};

AEGIS_RULE(flushed_weights) = {
    .code = "PR302",
    .severity = AEGIS_INFO,
    .safety = AEGIS_LOSSY,
    .flags = AEGIS_RULE_WEIGHTS,
    .facts = facts<aegis_type_group, aegis_weight_stats>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "Weights that are not zero become zero in FP16.\n\n"
        "## Why\n"
        "FP16 ends at 6e-8; below half of that nothing is left. A whole channel may go dead.\n\n"
        "## Fix\n"
        "BF16 has the range of FLOAT.",
    .bad = list(bad),
    .good = list(good)};
