#include <aegis/rule.hpp>

using namespace aegis::sdk;

namespace {

struct Verdict {
  aegis_severity severity = AEGIS_SEVERITY_DEFAULT;  // DEFAULT: silent
  aegis_certainty certainty = AEGIS_UNSTATED;
};

}  // namespace

// A sum of N values of at most A is at most N times A: FP16 may overflow. A sum kept in the type itself loses what is
// added past the exact integers.
static Verdict judge(Context& cx, aegis_node node, const FloatFormat& format, const Bound& bound, const aegis_dim& n) {
  if (&format == &half && n.value > 0 && static_cast<double>(n.value) * bound.absmax > format.largest) {
    if (bound.seen) return {AEGIS_ERROR, AEGIS_SEEN};
    return {AEGIS_INFO, AEGIS_POSSIBLE};
  }
  if (cx.at_least(n, static_cast<std::int64_t>(format.exact_integers) + 1) != AEGIS_YES) return {};
  const auto* support = cx.fact<aegis_support>(node);
  if (support && support->accumulates == AEGIS_ACCUMULATES_FP32) return {};
  if (support && support->accumulates == AEGIS_ACCUMULATES_TYPE) return {AEGIS_WARNING, AEGIS_CERTAIN};
  return {AEGIS_INFO, AEGIS_POSSIBLE};
}

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  const aegis_value input = cx.input(node, 0);
  const FloatFormat* format = cx.narrow(input);
  const auto* reduction = cx.fact<aegis_reduction>(node);
  if (!info || !format || !reduction) return;
  if (reduction->kind != AEGIS_REDUCTION_SUM && reduction->kind != AEGIS_REDUCTION_MEAN) return;
  const Bound bound = cx.bound(input);
  const Verdict verdict = judge(cx, node, *format, bound, reduction->n);
  if (verdict.severity == AEGIS_SEVERITY_DEFAULT) return;
  cx.finding(node)
      .severity(verdict.severity)
      .certainty(verdict.certainty)
      .message("{} sums {} values in {}", info->op, cx.text(reduction->n), format->name)
      .evidence("n", AEGIS_ELEMENTS, reduction->n.value)
      .evidence("bound", AEGIS_PLAIN, static_cast<double>(reduction->n.value) * bound.absmax)
      .request(KeepWide{.what = AEGIS_KEEP_NODE, .node = node}, Safety::exact);
}

static constexpr Example bad[] = {
    {.as = "fp16",
     .text = "g (float[1,8,512,512] x) => (float[1,8,1,1] y) <int64[2] axes = {2,3}> { y = ReduceMean(x, axes) }"}};
static constexpr Example good[] = {
    {.as = "fp16", .text = "g (float[1,8,7,7] x) => (float[1,8,1,1] y) { y = GlobalAveragePool(x) }"},
    {.as = "bf16",
     .weights = "w",
     .text = "g (float[64,4096] x, float[4096,64] w) => (float[64,64] y) { y = MatMul(x, w) }"}};

AEGIS_RULE(long_reduction) = {
    .code = "PR313",
    .severity = AEGIS_WARNING,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_PINS,
    .ops = ops<"ReduceSum", "ReduceMean", "AveragePool", "GlobalAveragePool", "Mean">,
    .facts = facts<aegis_type_group, aegis_reduction, aegis_range, aegis_observed, aegis_support>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A sum or mean over many elements runs in a narrow type.\n\n"
        "## Why\n"
        "In FP16 the sum itself can pass 65504 although the mean is small. A sum that is kept in the type stops "
        "growing: at 256 times the addend in BF16, at 2048 times in FP16.\n\n"
        "## Fix\n"
        "Keep the node in FLOAT.",
    .bad = list(bad),
    .good = list(good)};
