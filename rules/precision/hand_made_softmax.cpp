#include <aegis/rule.hpp>

#include <cmath>

using namespace aegis::sdk;

struct Verdict {
  aegis_severity severity = AEGIS_WARNING;
  aegis_certainty certainty = AEGIS_UNSTATED;
};

// BF16 overflows where FLOAT does: narrowing adds nothing, so nothing has to stay wide. FP16 overflows above 11.09.
static Verdict judge(const Bound& bound, const FloatFormat& format) {
  if (&format != &half || bound.all.hi <= std::log(format.infinite_from)) return {};
  if (bound.seen) return {AEGIS_ERROR, AEGIS_SEEN};
  return {AEGIS_WARNING, AEGIS_POSSIBLE};
}

static void report(Context& cx, aegis_node exp, const aegis_pattern& pattern) {
  const aegis_value input = cx.input(exp, 0);
  const FloatFormat* format = cx.narrow(input);
  if (!format || (pattern.flags & AEGIS_PATTERN_MAX_SUBTRACTED)) return;
  const Bound bound = cx.bound(input);
  const Verdict verdict = judge(bound, *format);
  auto found = cx.finding(exp)
                   .severity(verdict.severity)
                   .certainty(verdict.certainty)
                   .message("{} in {} nodes, in {} and without its maximum taken off", pattern.fused_op,
                            pattern.nodes.count, format->name);
  found.evidence("input_max", AEGIS_PLAIN, bound.all.hi)
      .evidence("nodes", AEGIS_NODES, pattern.nodes.count)
      .relate_all(pattern.nodes, "pattern", exp);
  if (!(pattern.flags & AEGIS_PATTERN_INNER_USED)) {
    found.request(Fuse{.anchor = pattern.anchor, .op = pattern.fused_op, .nodes = pattern.nodes}, Safety::close);
  }
  found.request(KeepWide{.what = AEGIS_KEEP_REGION, .node = exp, .region = pattern.nodes}, Safety::exact);
}

static void check(Context& cx, Group group) {
  for (const aegis_node member : group.members) {
    const auto* pattern = cx.fact<aegis_pattern>(member);
    if (pattern && pattern->anchor.id == member.id) report(cx, member, *pattern);
  }
}

static constexpr Example bad[] = {{.as = "fp16",
                                   .text = "g (float[8,64] x) => (float[8,64] y) <int64[1] last = {-1}> "
                                           "{ e = Exp(x)  s = ReduceSum(e, last)  y = Div(e, s) }"},
                                  {.as = "bf16",
                                   .text = "g (float[8,64] x) => (float[8,1] y) <int64[1] last = {-1}> "
                                           "{ e = Exp(x)  s = ReduceSum(e, last)  y = Log(s) }"}};
static constexpr Example good[] = {
    {.as = "fp16",
     .text = "g (float[8,64] x) => (float[8,64] y) <int64[1] last = {-1}> "
             "{ m = ReduceMax(x, last)  d = Sub(x, m)  e = Exp(d)  s = ReduceSum(e, last)  y = Div(e, s) }"},
    {.as = "fp16", .text = "g (float[8,64] x) => (float[8,64] y) { y = Softmax(x) }"}};

AEGIS_RULE(hand_made_softmax) = {
    .code = "PR317",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_WARNING,
    .safety = AEGIS_CLOSE,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_PINS,
    .ops = ops<"@softmax", "@log_softmax", "@log_sum_exp">,
    .facts = facts<aegis_pattern, aegis_type_group, aegis_range, aegis_observed>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A Softmax, or the logarithm of a sum of exponentials, is written as single nodes that do not subtract the "
        "maximum first.\n\n"
        "## Why\n"
        "exp(x) is infinite in FP16 above 11.09, and the quotient is NaN. Softmax subtracts the maximum, so that no "
        "exponential is above 1.\n\n"
        "## Fix\n"
        "Write it as Softmax, LogSoftmax or ReduceLogSumExp, or keep the nodes in FLOAT.",
    .bad = list(bad),
    .good = list(good)};
