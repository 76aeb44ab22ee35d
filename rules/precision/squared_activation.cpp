#include <aegis/rule.hpp>
#include <aegis/rule/node_set.hpp>

#include <cmath>

using namespace aegis::sdk;

static bool is_square(Context& cx, aegis_node node) {
  if (cx.is(node, "Mul")) return cx.input(node, 0).id == cx.input(node, 1).id;
  return cx.is(node, "Pow") && scalar(cx.constant(cx.input(node, 1))) == 2;
}

static bool in_a_norm(Context& cx, aegis_node node) {
  const auto* pattern = cx.fact<aegis_pattern>(node);
  return pattern && pattern->kind >= AEGIS_PATTERN_LAYER_NORM && pattern->kind <= AEGIS_PATTERN_BATCH_NORM;
}

// A normalisation brings the squares back into the range; one that reads them narrow has lost them to the Cast before.
static NodeSet wide_nodes(Context& cx, aegis_node square) {
  NodeSet out;
  out.add(square);
  const auto* info = cx.value(cx.output(square, 0));
  for (std::uint32_t i = 0; info && i < info->uses_count; ++i) {
    const auto* reader = some(info->uses[i].node) ? cx.node(info->uses[i].node) : nullptr;
    if (reader && view(reader->op).ends_with("Normalization")) out.add(info->uses[i].node);
  }
  return out;
}

static void check(Context& cx, Node node) {
  const aegis_value input = cx.input(node, 0);
  if (cx.narrow(input) != &half || !is_square(cx, node) || in_a_norm(cx, node)) return;
  const Bound bound = cx.bound(input);
  const double limit = std::sqrt(half.infinite_from);
  if (bound.absmax <= limit) return;
  const NodeSet wide = wide_nodes(cx, node);
  cx.finding(node)
      .severity(bound.seen ? AEGIS_ERROR : AEGIS_INFO)
      .certainty(bound.seen ? AEGIS_SEEN : AEGIS_POSSIBLE)
      .message("squares of fp16 values overflow above {}", limit)
      .evidence("bound", AEGIS_PLAIN, bound.absmax)
      .request(KeepWide{.what = AEGIS_KEEP_REGION, .node = node, .region = wide.list()}, Safety::exact);
}

static constexpr Example bad[] = {
    {.as = "fp16", .text = "g (float[8,64] x) => (float[8,64] y) { r = Relu(x)  y = Mul(r, r) }"}};
static constexpr Example good[] = {
    {.as = "bf16", .text = "g (float[8,64] x) => (float[8,64] y) { r = Relu(x)  y = Mul(r, r) }"}};

AEGIS_RULE(squared_activation) = {
    .code = "PR328",
    .severity = AEGIS_ERROR,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_PINS,
    .ops = ops<"Mul", "Pow">,
    .facts = facts<aegis_type_group, aegis_pattern, aegis_range, aegis_observed>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "An activation is squared in FP16, outside a normalisation.\n\n"
        "## Why\n"
        "The square of 256 is above the largest FP16 value.\n\n"
        "## Fix\n"
        "Scale by a power of two that a later scale-invariant node absorbs, or keep the node in FLOAT.",
    .bad = list(bad),
    .good = list(good)};
