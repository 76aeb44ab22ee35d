// A node rule with a fact, an option and evidence: attention scores that grow with the square of the sequence.
#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Node softmax) {
  const auto* core = cx.fact<aegis_attention>(softmax);
  if (!core || core->core.id != softmax.id.id) return;
  const double bytes = cx.bytes(cx.output(softmax, 0));
  const double limit = 1048576 * cx.option("max_mib");
  if (!(bytes > limit)) return;
  cx.finding(softmax)
      .message("the scores of one attention core take {} MiB", bytes / 1048576)
      .evidence("scores_bytes", AEGIS_BYTES, bytes)
      .evidence("query_length", AEGIS_ELEMENTS, core->query_len.dim.value)
      .evidence("key_length", AEGIS_ELEMENTS, core->key_len.dim.value)
      .relate_all(core->nodes, "attention", softmax)
      .advise("one Attention operator keeps the scores out of memory");
}

static constexpr Option options[] = {
    {.key = "max_mib", .value = 64, .min = 0, .max = 1e6, .help = "the size of the scores that is let pass, in MiB"}};

#define CORE(s)                                                                                  \
  "g (float[1,16," s ",64] q, float[1,16,64," s "] k, float[1,16," s ",64] v) => (float[1,16," s \
  ",64] y) "                                                                                     \
  "<float scale = {0.125}> { qk = MatMul(q, k)  s = Mul(qk, scale)  p = Softmax(s)  y = MatMul(p, v) }"
static constexpr Example bad[] = {{.text = CORE("2048")}};
static constexpr Example good[] = {{.text = CORE("256")}};

AEGIS_RULE(quadratic_scores) = {
    .code = "EX101",
    .severity = AEGIS_WARNING,
    .flags = AEGIS_RULE_STABLE,
    .ops = ops<"Softmax">,
    .facts = facts<aegis_attention>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\nAttention written as single nodes stores its scores.\n\n"
        "## Why\nThey grow with the square of the sequence and decide the peak of memory.\n\n"
        "## Fix\nAttention as one operator, whose kernels never store them.",
    .bad = list(bad),
    .good = list(good)};
