#include <aegis/rule.hpp>

#include <cmath>

using namespace aegis::sdk;

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  const FloatFormat* format = info ? cx.narrow(cx.output(node, 0)) : nullptr;
  if (!format) return;
  const bool clip = view(info->op) == "Clip";
  const auto inputs = items(info->inputs);
  for (std::size_t slot = clip ? 1 : 0; slot < inputs.size(); ++slot) {
    const double bound = scalar(cx.constant(inputs[slot]));
    if (!std::isfinite(bound) || !(std::fabs(bound) >= format->infinite_from)) continue;
    const bool upper = clip ? slot == 2 : view(info->op) == "Min";
    cx.finding(node)
        .message("the {} bound {} becomes infinite in {}", upper ? "upper" : "lower", bound, format->name)
        .evidence("bound", AEGIS_PLAIN, bound)
        .relate(inputs[slot], "bound")
        .request(SetBound{.use = {node, static_cast<std::uint32_t>(slot)},
                          .upper = upper ? 1u : 0u,
                          .to = std::copysign(format->largest, bound)},
                 Safety::exact);
  }
}

static constexpr Example bad[] = {{.as = "fp16",
                                   .text = "g (float[8,64] x) => (float[8,64] y) <float lo = {0}, float hi = "
                                           "{3.4028234663852886e38}> { y = Clip(x, lo, hi) }"}};
static constexpr Example good[] = {
    {.as = "fp16",
     .text = "g (float[8,64] x) => (float[8,64] y) <float lo = {0}, float hi = {6}> { y = Clip(x, lo, hi) }"}};

AEGIS_RULE(clip_bounds) = {.code = "PR339",
                           .severity = AEGIS_WARNING,
                           .safety = AEGIS_EXACT,
                           .ops = ops<"Clip", "Min", "Max">,
                           .facts = facts<aegis_type_group>,
                           .silences = codes<"PR301">,
                           .check = entry<check>,
                           .doc =
                               "## What\n"
                               "A bound of Clip, Min or Max rounds to infinity in the narrow type.\n\n"
                               "## Why\n"
                               "The bound no longer bounds: an infinite value passes.\n\n"
                               "## Fix\n"
                               "Write the largest value of the type as the bound.",
                           .bad = list(bad),
                           .good = list(good)};
