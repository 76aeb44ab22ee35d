#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Group group) {
  const auto* chain = cx.fact<aegis_chain>(group);
  const auto* pattern = cx.fact<aegis_pattern>(group);
  if (!chain || !pattern || !(chain->percent.op >= 100 * cx.option("min_time_share"))) return;
  // A CUDA graph launches sooner: when the work outweighs its launches, only an op-by-op runtime has the trouble.
  const double gain = (chain->launch_us.op + chain->work_us) / (chain->launch_us.fused + chain->work_us);
  const aegis_regime regime = chain->launch_us.fused >= chain->work_us ? AEGIS_REGIME_BOTH : AEGIS_REGIME_OP;
  cx.finding(group)
      .message("{} dependent kernels do {} us of work and take {} us to launch", chain->kernels.op, chain->work_us,
               chain->launch_us.op)
      .standard(group)
      .evidence("kernels", AEGIS_PLAIN, chain->kernels.op)
      .evidence("launch_us_min", AEGIS_MICROSECONDS, chain->launch_us.fused)
      .evidence("launch_us_max", AEGIS_MICROSECONDS, chain->launch_us.op)
      .evidence("work_us", AEGIS_MICROSECONDS, chain->work_us)
      .gain({.confidence = AEGIS_CONFIDENCE_LOW, .low = 1, .point = gain, .high = gain, .regime = regime})
      .relate_all(pattern->nodes, "chain", group.first)
      .advise("a CUDA graph, a larger batch, or one operator for the chain");
}

static constexpr Option options[] = {
    {.key = "min_time_share", .value = 0.05, .max = 1, .help = "the least share of the model's time, as a fraction"}};
static constexpr Example bad[] = {
    {.as = "bf16",
     .text = "g (float[1,64] x) => (float[1,64] y) { a = Tanh(x)  b = Exp(a)  c = Tanh(b)  d = Exp(c)  e = Tanh(d)  "
             "f = Exp(e)  h = Tanh(f)  i = Exp(h)  y = Tanh(i) }"}};
static constexpr Example good[] = {
    {.as = "bf16", .text = "g (float[1,64] x) => (float[1,64] y) { a = Tanh(x)  b = Exp(a)  y = Tanh(b) }"},
    {.as = "bf16",
     .text = "g (float[65536,4096] x) => (float[65536,4096] y) { a = Tanh(x)  b = Exp(a)  c = Tanh(b)  d = Exp(c)  "
             "e = Tanh(d)  f = Exp(e)  h = Tanh(f)  i = Exp(h)  y = Tanh(i) }"}};

AEGIS_RULE(launch_bound_chain) = {.code = "MB204",
                                  .unit = AEGIS_UNIT_GROUP,
                                  .severity = AEGIS_WARNING,
                                  .safety = AEGIS_CLOSE,
                                  .flags = AEGIS_RULE_STABLE | AEGIS_RULE_EFFICIENCY,
                                  .ops = ops<"@launch_chain">,
                                  .facts = facts<aegis_chain, aegis_pattern, aegis_cost, aegis_roofline>,
                                  .silences = codes<"MB203">,
                                  .options = list(options),
                                  .check = entry<check>,
                                  .doc =
                                      "## What\n"
                                      "Eight or more kernels in a row, each shorter than its own launch.\n\n"
                                      "## Why\n"
                                      "The device waits for the host: the launches decide the time, not the work.\n\n"
                                      "## Fix\n"
                                      "A CUDA graph or a larger batch at run time; one fused operator in the file.",
                                  .bad = list(bad),
                                  .good = list(good)};
