#include <aegis/rule.hpp>

#include <cmath>

using namespace aegis::sdk;

// Is the maximum taken away before? Sub whose second operand is a ReduceMax.
static bool max_subtracted(Context& cx, aegis_value value) {
  const auto* info = cx.value(value);
  if (!info || !some(info->producer) || !cx.is(info->producer, "Sub")) return false;
  const auto* taken = cx.value(cx.input(info->producer, 1));
  return taken && some(taken->producer) && cx.is(taken->producer, "ReduceMax");
}

static void check(Context& cx, Node node) {
  const aegis_value input = cx.input(node, 0);
  if (cx.narrow(input) != &half || max_subtracted(cx, input)) return;
  const double limit = std::log(half.infinite_from);
  const Bound bound = cx.bound(input);
  if (bound.all.hi <= limit) return;
  cx.finding(node)
      .severity(bound.seen ? AEGIS_ERROR : AEGIS_INFO)
      .certainty(bound.seen ? AEGIS_SEEN : AEGIS_POSSIBLE)
      .message("Exp in fp16 is infinite above {}", limit)
      .evidence("input_max", AEGIS_PLAIN, bound.all.hi)
      .request(KeepWide{.what = AEGIS_KEEP_NODE, .node = node}, Safety::exact);
}

static constexpr Example bad[] = {{.as = "fp16", .text = "g (float[8,64] x) => (float[8,64] y) { y = Exp(x) }"}};
static constexpr Example good[] = {{.as = "fp16",
                                    .text = "g (float[8,64] x) => (float[8,64] y) <int64[1] last = {-1}> "
                                            "{ m = ReduceMax(x, last)  d = Sub(x, m)  y = Exp(d) }"},
                                   {.as = "bf16", .text = "g (float[8,64] x) => (float[8,64] y) { y = Exp(x) }"}};

AEGIS_RULE(exp_overflow) = {.code = "PR316",
                            .severity = AEGIS_ERROR,
                            .safety = AEGIS_CLOSE,
                            .flags = AEGIS_RULE_STABLE | AEGIS_RULE_PINS,
                            .ops = ops<"Exp">,
                            .facts = facts<aegis_type_group, aegis_range, aegis_observed>,
                            .check = entry<check>,
                            .doc =
                                "## What\n"
                                "An exponential in FP16 without its maximum subtracted.\n\n"
                                "## Why\n"
                                "exp(x) passes 65504 at x = 11.09.\n\n"
                                "## Fix\n"
                                "Keep the node in FLOAT, or write the whole as Softmax, which subtracts the maximum.",
                            .bad = list(bad),
                            .good = list(good)};
