#include <aegis/rule.hpp>
#include <aegis/rule/node_set.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace aegis::sdk;

// The node of the pattern that squares: Pow, or a Mul of a value with itself. AEGIS_NONE when there is none.
static aegis_node squaring(Context& cx, const aegis_pattern& pattern) {
  for (const aegis_node node : items(pattern.nodes)) {
    if (cx.is(node, "Pow")) return node;
    if (cx.is(node, "Mul") && cx.input(node, 0).id == cx.input(node, 1).id) return node;
  }
  return {AEGIS_NONE};
}

struct Verdict {
  aegis_severity severity = AEGIS_WARNING;
  aegis_certainty certainty = AEGIS_CERTAIN;
  double absmax = std::numeric_limits<double>::quiet_NaN();
  bool fires = true;
};

// BF16 has the range but not the digits for statistics. In FP16 squares overflow above the square root of the largest
// value: a bound below it clears the norm, data above it convict it, and nothing known leaves it open.
static Verdict judge(Context& cx, aegis_value squared, const FloatFormat& format) {
  Verdict out;
  if (&format == &bfloat) return out;
  const Bound bound = cx.bound(squared);
  out.absmax = bound.absmax;
  out.fires = !(bound.absmax <= std::sqrt(format.largest));
  out.severity = bound.seen ? AEGIS_ERROR : AEGIS_INFO;
  out.certainty = bound.seen ? AEGIS_SEEN : AEGIS_POSSIBLE;
  return out;
}

// The nodes up to the normalised value. Scale and shift come after the statistics and can be narrow.
static NodeSet statistics(Context& cx, const aegis_pattern& pattern) {
  NodeSet out;
  for (const aegis_node node : items(pattern.nodes)) {
    const auto inputs = items(cx.node(node)->inputs);
    const bool after = std::any_of(inputs.begin(), inputs.end(), [&](aegis_value input) {
      return some(input) && (input.id == pattern.scale.id || input.id == pattern.shift.id);
    });
    if (!after) out.add(node);
  }
  return out;
}

static void report(Context& cx, const aegis_pattern& pattern) {
  const aegis_node square = squaring(cx, pattern);
  if (!some(square)) return;
  const aegis_value squared = cx.input(square, 0);
  const FloatFormat* format = cx.narrow(squared);
  if (!format) return;
  const Verdict verdict = judge(cx, squared, *format);
  if (!verdict.fires) return;
  auto found =
      cx.finding(square)
          .severity(verdict.severity)
          .certainty(verdict.certainty)
          .message("a normalisation in {} nodes computes its statistics in {}", pattern.nodes.count, format->name);
  found.evidence("absmax", AEGIS_PLAIN, verdict.absmax)
      .evidence("nodes", AEGIS_NODES, pattern.nodes.count)
      .relate_all(pattern.nodes, "pattern", square);
  if ((pattern.flags & AEGIS_PATTERN_COMPLETE) && pattern.fused_op.size > 0) {
    found.request(Fuse{.anchor = pattern.anchor, .op = pattern.fused_op, .nodes = pattern.nodes}, Safety::close);
  }
  const NodeSet wide = statistics(cx, pattern);
  found.request(KeepWide{.what = AEGIS_KEEP_REGION, .node = square, .region = wide.list()}, Safety::exact);
}

static void check(Context& cx, Group group) {
  for (const aegis_node member : group.members) {
    if (const auto* pattern = cx.fact<aegis_pattern>(member)) report(cx, *pattern);
  }
}

#define NORM                                                                                                          \
  "<float two = {2}, float eps = {1e-5}> { mean = ReduceMean<axes = [-1]>(x)  d = Sub(x, mean)  sq = Pow(d, two) "    \
  " var = ReduceMean<axes = [-1]>(sq)  ve = Add(var, eps)  sd = Sqrt(ve)  n = Div(d, sd)  s = Mul(n, g)  y = Add(s, " \
  "b) }"

static constexpr Example bad[] = {
    {.as = "bf16",
     .weights = "g;b",
     .text = "<ir_version: 8, opset_import: [\"\" : 17]> g (float[8,64,768] x, float[768] g, float[768] b) => "
             "(float[8,64,768] y) " NORM},
    {.as = "fp16",
     .weights = "g;b",
     .text = "<ir_version: 8, opset_import: [\"\" : 17]> g (float[8,64,768] x, float[768] g, float[768] b) => "
             "(float[8,64,768] y) " NORM}};
static constexpr Example good[] = {
    {.as = "bf16",
     .weights = "g;b",
     .text = "g (float[8,64,768] x, float[768] g, float[768] b) => (float[8,64,768] y) "
             "{ y = LayerNormalization(x, g, b) }"},
    {.weights = "g;b",
     .text = "<ir_version: 8, opset_import: [\"\" : 17]> g (float[8,64,768] x, float[768] g, float[768] b) => "
             "(float[8,64,768] y) " NORM}};

AEGIS_RULE(decomposed_norm_narrow) = {
    .code = "PR310",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_WARNING,
    .safety = AEGIS_CLOSE,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_PINS,
    .ops = ops<"@layer_norm", "@rms_norm">,
    .facts = facts<aegis_pattern, aegis_type_group, aegis_range, aegis_observed>,
    .silences = codes<"PR313", "PR328">,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A normalisation written as single nodes squares, sums and divides in a narrow type.\n\n"
        "## Why\n"
        "In FP16 squares overflow from 256 on, and the mean of squares is infinite. In BF16 the statistics keep 8 "
        "bits. A fused normalisation computes them in FP32 whatever the type of its input.\n\n"
        "## Fix\n"
        "Replace the nodes by LayerNormalization or RMSNormalization, or keep them in FLOAT.",
    .bad = list(bad),
    .good = list(good)};
