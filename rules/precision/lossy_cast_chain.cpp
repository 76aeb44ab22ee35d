#include <aegis/rule.hpp>

using namespace aegis::sdk;

// The Cast to a narrow type that a narrow value comes from, back through movement; none when something computes
// between.
static aegis_node narrowing(Context& cx, aegis_value value, int depth) {
  const auto* info = some(value) ? cx.value(value) : nullptr;
  const auto* producer = info && some(info->producer) ? cx.node(info->producer) : nullptr;
  if (!producer || depth == 0 || producer->inputs.count == 0) return {AEGIS_NONE};
  const aegis_value input = producer->inputs.data[0];
  if (view(producer->op) == "Cast")
    return cx.dtype(input) == AEGIS_DTYPE_FLOAT ? info->producer : aegis_node{AEGIS_NONE};
  if (!(producer->flags & (AEGIS_NODE_MOVEMENT | AEGIS_NODE_VIEW))) return {AEGIS_NONE};
  return narrowing(cx, input, depth - 1);
}

static void check(Context& cx, Group group) {
  for (const aegis_node up : group.members) {
    const aegis_value source = cx.input(up, 0);
    if (cx.dtype(cx.output(up, 0)) != AEGIS_DTYPE_FLOAT || !narrow_format(cx.dtype(source))) continue;
    const aegis_node down = narrowing(cx, source, 8);
    if (!some(down)) continue;
    cx.finding(up)
        .message("FLOAT values are rounded to {} and widened again", dtype_name(cx.dtype(source)))
        .evidence("types", dtype_name(cx.dtype(source)))
        .relate(down, "narrowing Cast")
        .advise("the rounding is part of the model when its author wrote it; drop both Casts when a tool did");
  }
}

static constexpr Example bad[] = {
    {.text = "g (float[8] x) => (float[8] y) { h = Cast<to = 10>(x)  u = Cast<to = 1>(h)  y = Sin(u) }"}};
static constexpr Example good[] = {
    {.text = "g (float16[8] x) => (float16[8] y) { u = Cast<to = 1>(x)  y = Cast<to = 10>(u) }"}};

AEGIS_RULE(lossy_cast_chain) = {
    .code = "PR331",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_WARNING,
    .safety = AEGIS_CLOSE,
    .flags = AEGIS_RULE_STABLE,
    .ops = ops<"Cast">,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A value is cast to a narrow type and back with nothing or only movement between.\n\n"
        "## Why\n"
        "The digits are gone and nothing was won; runtimes keep such pairs at every optimisation level.\n\n"
        "## Fix\n"
        "Drop both Casts when a tool left them. A pair that the author wrote changes values and stays.",
    .bad = list(bad),
    .good = list(good)};
