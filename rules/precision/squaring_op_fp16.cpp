#include <aegis/rule.hpp>

#include <cmath>

using namespace aegis::sdk;

// Does the node square its input? Norms with p = 2 do; GroupNormalization computes in FLOAT from opset 21 on.
static bool squares(Context& cx, aegis_node node, const aegis_node_info& info) {
  const std::string_view op = view(info.op);
  if (op == "LpNormalization" || op == "LpPool" || op == "GlobalLpPool") {
    return cx.attribute(node, "p", std::int64_t{2}) == 2;
  }
  return op != "GroupNormalization" || info.since_version < 21;
}

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  const aegis_value input = cx.input(node, 0);
  if (!info || cx.narrow(input) != &half || !squares(cx, node, *info)) return;
  const Bound bound = cx.bound(input);
  const double limit = std::sqrt(half.largest);
  if (bound.absmax <= limit) return;
  cx.finding(node)
      .severity(bound.seen ? AEGIS_ERROR : AEGIS_INFO)
      .certainty(bound.seen ? AEGIS_SEEN : AEGIS_POSSIBLE)
      .message("{} squares fp16 values, which overflow above {}", info->op, limit)
      .evidence("absmax", AEGIS_PLAIN, bound.absmax)
      .request(KeepWide{.what = AEGIS_KEEP_NODE, .node = node}, Safety::exact);
}

static constexpr Example bad[] = {{.as = "fp16", .text = "g (float[8,64] x) => (float[8,1] y) { y = ReduceL2(x) }"}};
static constexpr Example good[] = {{.as = "bf16", .text = "g (float[8,64] x) => (float[8,1] y) { y = ReduceL2(x) }"}};

AEGIS_RULE(squaring_op_fp16) = {
    .code = "PR312",
    .severity = AEGIS_ERROR,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_PINS,
    .ops = ops<"InstanceNormalization", "GroupNormalization", "LRN", "LpNormalization", "LpPool", "GlobalLpPool",
               "ReduceL2", "ReduceSumSquare">,
    .facts = facts<aegis_type_group, aegis_range, aegis_observed>,
    .silences = codes<"PR313">,
    .check = entry<check>,
    .doc =
        "## What\n"
        "An operator that squares inside runs in FP16.\n\n"
        "## Why\n"
        "Squares pass 65504 from 256 on. Which type the kernel squares in is up to the runtime.\n\n"
        "## Fix\n"
        "Keep the node in FLOAT, or declare what the inputs can hold.",
    .bad = list(bad),
    .good = list(good)};
