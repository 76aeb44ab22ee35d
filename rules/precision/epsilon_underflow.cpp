#include <aegis/rule.hpp>
#include <aegis/rule/node_set.hpp>

using namespace aegis::sdk;

static bool needs_guard(std::string_view op) {
  return op == "Div" || op == "Sqrt" || op == "Log" || op == "Reciprocal";
}

// Is the value read where a zero or a negative would be fatal: as a divisor, under a root, a logarithm or a reciprocal?
static bool guarded_use(Context& cx, aegis_value value) {
  const auto* info = some(value) ? cx.value(value) : nullptr;
  for (std::uint32_t i = 0; info && i < info->uses_count; ++i) {
    const aegis_use& use = info->uses[i];
    const auto* reader = some(use.node) ? cx.node(use.node) : nullptr;
    if (reader && needs_guard(view(reader->op)) && (view(reader->op) != "Div" || use.slot == 1)) return true;
  }
  return false;
}

// The nodes that the epsilon guards: in a narrow type they would read the guarded value as 0 again. A root hands the
// danger on to what reads it.
static void add_guarded(Context& cx, aegis_value value, NodeSet& nodes) {
  const auto* info = some(value) ? cx.value(value) : nullptr;
  for (std::uint32_t i = 0; info && i < info->uses_count; ++i) {
    const aegis_use& use = info->uses[i];
    const auto* reader = some(use.node) ? cx.node(use.node) : nullptr;
    if (!reader || !needs_guard(view(reader->op)) || (view(reader->op) == "Div" && use.slot != 1)) continue;
    if (nodes.add(use.node) && view(reader->op) == "Sqrt") add_guarded(cx, cx.output(use.node, 0), nodes);
  }
}

static void report(Context& cx, aegis_node node, aegis_value constant, double epsilon, const FloatFormat& format) {
  const bool gone = epsilon <= format.zero_up_to;
  // A subnormal epsilon is weaker, not gone: nothing has to stay wide for it.
  auto opened =
      cx.finding(node).severity(gone ? AEGIS_ERROR : AEGIS_WARNING).certainty(gone ? AEGIS_CERTAIN : AEGIS_UNSTATED);
  auto found = gone ? opened.message("the epsilon {} becomes 0 in {}", epsilon, format.name)
                    : opened.message("the epsilon {} is subnormal in {}", epsilon, format.name);
  NodeSet guarded;
  guarded.add(node);
  add_guarded(cx, cx.output(node, 0), guarded);
  found.evidence("eps", AEGIS_PLAIN, epsilon)
      .evidence("rounds_to", gone ? "0" : "a subnormal number")
      .request(KeepWide{.what = AEGIS_KEEP_REGION, .node = node, .region = guarded.list()}, Safety::exact)
      .request(LiftEpsilon{.node = node, .value = constant, .to = format.smallest_normal}, Safety::lossy);
}

static bool too_small(double epsilon, const FloatFormat& format) {
  return epsilon > 0 && epsilon < format.smallest_normal;
}

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  const FloatFormat* format = info ? cx.narrow(cx.output(node, 0)) : nullptr;
  if (!format) return;
  const std::string_view op = view(info->op);
  if (op == "LayerNormalization" || op == "RMSNormalization") {
    const double epsilon = cx.attribute(node, "epsilon", 1e-5);
    const bool wide_inside = cx.attribute(node, "stash_type", std::int64_t{1}) == 1;
    if (!wide_inside && too_small(epsilon, *format)) report(cx, node, {AEGIS_NONE}, epsilon, *format);
    return;
  }
  if (!guarded_use(cx, cx.output(node, 0))) return;
  for (const aegis_value input : items(info->inputs)) {
    const double epsilon = scalar(cx.constant(input));
    if (too_small(epsilon, *format)) return report(cx, node, input, epsilon, *format);
  }
}

static constexpr Example bad[] = {
    {.as = "fp16",
     .text =
         "g (float[8,64] x, float[8,64] n) => (float[8,64] y) <float eps = {1e-9}> { d = Add(n, eps)  y = Div(x, d) }"},
    {.as = "fp16",
     .text = "g (float[8,64] x, float[8,64] n) => (float[8,64] y) <float eps = {1e-5}> { d = Max(n, eps)  y = Div(x, "
             "d) }"}};
static constexpr Example good[] = {
    {.as = "bf16",
     .text =
         "g (float[8,64] x, float[8,64] n) => (float[8,64] y) <float eps = {1e-9}> { d = Add(n, eps)  y = Div(x, d) }"},
    {.as = "fp16",
     .weights = "s",
     .text = "g (float[8,64] x, float[64] s) => (float[8,64] y) { y = LayerNormalization<epsilon = 1e-12>(x, s) }"}};

AEGIS_RULE(epsilon_underflow) = {
    .code = "PR308",
    .severity = AEGIS_ERROR,
    .safety = AEGIS_LOSSY,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_PINS,
    .ops = ops<"Add", "Max", "LayerNormalization", "RMSNormalization">,
    .facts = facts<aegis_type_group>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "An epsilon that guards a division, root or logarithm is too small for the narrow type.\n\n"
        "## Why\n"
        "FP16 rounds 1e-8 to zero and 1e-6 to a subnormal number; without its guard a zero row divides by zero.\n\n"
        "## Fix\n"
        "Keep the node and what it guards in FLOAT, or accept a larger epsilon, which changes results.",
    .bad = list(bad),
    .good = list(good)};
