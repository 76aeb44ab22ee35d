#include <aegis/rule.hpp>

using namespace aegis::sdk;

static std::string_view pattern_name(std::uint32_t kind) {
  return kind == AEGIS_PATTERN_LAYER_NORM ? "layer norm" : kind == AEGIS_PATTERN_RMS_NORM ? "rms norm" : "batch norm";
}

static void check(Context& cx, Group group) {
  const auto* pattern = cx.fact<aegis_pattern>(group);
  if (!pattern || !(pattern->flags & AEGIS_PATTERN_COMPLETE) || (pattern->flags & AEGIS_PATTERN_INNER_USED)) return;
  if (pattern->nodes.count < 5) return;
  auto found = cx.finding(group).message("a {} in {} nodes", pattern_name(pattern->kind), pattern->nodes.count);
  found.standard(group)
      .evidence("pattern", pattern_name(pattern->kind))
      .evidence("min_opset", AEGIS_PLAIN, pattern->min_opset);
  for (const aegis_node member : group.members) {
    const auto* copy = cx.fact<aegis_pattern>(member);
    if (!copy) continue;
    found.relate_all(copy->nodes, "pattern", member);
    if (copy->fused_op.size == 0) continue;
    found.request(Fuse{.anchor = copy->anchor, .op = copy->fused_op, .nodes = copy->nodes}, Safety::close);
  }
}

#define NORM(b)                                                                                                        \
  "<ir_version: 8, opset_import: [\"\" : 17]> g (float[8,1024,768] x, float[768] g, float[768] b) => "                 \
  "(float[8,1024,768] y) <float two = {2}, float eps = {1e-5}> { mean = ReduceMean<axes = [-1]>(x)  d = Sub(x, mean) " \
  " sq = Pow(d, two)  var = ReduceMean<axes = [-1]>(sq)  ve = Add(var, eps)  sd = Sqrt(ve)  n = Div(d, sd)  "          \
  "s = Mul(n, g)  y = Add(s, " b ") }"
static constexpr Example bad[] = {{.weights = "g;b", .text = NORM("b")}};
static constexpr Example good[] = {
    {.weights = "g;b", .text = NORM("mean")},
    {.weights = "g;b",
     .text = "g (float[8,1024,768] x, float[768] g, float[768] b) => (float[8,1024,768] y) "
             "{ y = LayerNormalization(x, g, b) }"}};

AEGIS_RULE(decomposed_norm) = {
    .code = "MB210",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_INFO,
    .safety = AEGIS_CLOSE,
    .flags = AEGIS_RULE_STABLE,
    .ops = ops<"@layer_norm", "@rms_norm", "@batch_norm">,
    .facts = facts<aegis_pattern, aegis_cost, aegis_roofline>,
    .silences = codes<"MB203">,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A normalisation written as five or more nodes.\n\n"
        "## Why\n"
        "As one operator it is one kernel that reads its input once and computes in FP32 inside.\n\n"
        "## Fix\n"
        "Replace the nodes by LayerNormalization (opset 17) or RMSNormalization (opset 23).",
    .bad = list(bad),
    .good = list(good)};
