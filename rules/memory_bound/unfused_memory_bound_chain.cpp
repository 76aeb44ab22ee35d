#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Group group) {
  const auto* fusion = cx.fact<aegis_fusion>(group);
  if (!fusion || fusion->copies == 0) return;
  if (fusion->kind != AEGIS_FUSION_CHAIN && fusion->kind != AEGIS_FUSION_NORM &&
      fusion->kind != AEGIS_FUSION_ATTENTION) {
    return;
  }
  const double kernels = fusion->kernels.op / fusion->copies;
  if (!(kernels >= 3) || !(fusion->bytes.op >= cx.option("min_bytes_ratio") * fusion->bytes.fused)) return;
  if (!(fusion->percent.op >= 100 * cx.option("min_time_share"))) return;
  const double gain = fusion->time_us.op / fusion->time_us.fused;
  cx.finding(group)
      .message("{} kernels move {} times the bytes that one fused kernel would", kernels,
               fusion->bytes.op / fusion->bytes.fused)
      .standard(group)
      .evidence("nodes", AEGIS_NODES, fusion->nodes.count)
      .evidence("bytes_saved", AEGIS_BYTES, fusion->bytes.op - fusion->bytes.fused)
      .evidence("gain_op_by_op", AEGIS_RATIO, gain)
      .evidence("gain_fused", AEGIS_RATIO, 1.0)
      .gain({.confidence = AEGIS_CONFIDENCE_LOW,
             .low = 1,
             .point = gain,
             .high = gain,
             .bytes_saved = fusion->bytes.op - fusion->bytes.fused,
             .regime = AEGIS_REGIME_OP})
      .relate_all(fusion->nodes, "fusion", group.first)
      .advise("one operator for the chain, or a runtime that fuses");
}

static constexpr Option options[] = {
    {.key = "min_bytes_ratio", .value = 2, .min = 1, .max = 1000, .help = "bytes op by op over bytes fused"},
    {.key = "min_time_share", .value = 0.03, .max = 1, .help = "the least share of the model's time, as a fraction"}};
static constexpr Example bad[] = {
    {.as = "bf16",
     .text =
         "g (float[8,1024,3072] x) => (float[8,1024,3072] y) <float r = {1.4142135}, float one = {1}, float h = {0.5}> "
         "{ d = Div(x, r)  e = Erf(d)  a = Add(e, one)  m = Mul(x, a)  y = Mul(m, h) }"}};
static constexpr Example good[] = {
    {.as = "bf16",
     .weights = "w",
     .text = "g (float[8,64,56,56] x, float[64,64,3,3] w) => (float[8,64,54,54] y) { c = Conv(x, w)  y = Relu(c) }"}};

AEGIS_RULE(unfused_memory_bound_chain) = {
    .code = "MB203",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_WARNING,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_EFFICIENCY,
    .ops = ops<"@fusion">,
    .facts = facts<aegis_fusion, aegis_cost, aegis_roofline>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "A chain of elementwise nodes, a norm or an attention core that runs as several kernels.\n\n"
        "## Why\n"
        "Each kernel reads its input from memory and writes its output back; one fused kernel does it once. A "
        "fusing runtime pays nothing, so this is a warning for op-by-op runtimes only.\n\n"
        "## Fix\n"
        "Write the chain as one operator (Gelu, LayerNormalization, Attention), or use a runtime that fuses.",
    .bad = list(bad),
    .good = list(good)};
