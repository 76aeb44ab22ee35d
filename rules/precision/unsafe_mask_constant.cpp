#include <aegis/rule.hpp>

#include <cmath>

using namespace aegis::sdk;

static std::string_view rounds_to(double fill, const FloatFormat& format) {
  return std::fabs(fill) >= format.infinite_from ? "-inf" : "a finite value";
}

static void check(Context& cx, Node node) {
  const auto* mask = cx.fact<aegis_mask>(node);
  if (!mask) return;
  for (const auto& plane : Items<aegis_mask_plane>(mask->planes)) {
    const FloatFormat* format = cx.narrow(plane.constant);
    if (!format || !some(plane.use.node) || !std::isfinite(plane.fill)) continue;
    const double size = std::fabs(plane.fill);
    if (!(size > format->largest / 2)) continue;
    const bool infinite = size >= format->infinite_from;
    auto found = cx.finding(plane.use.node)
                     .severity(infinite ? AEGIS_ERROR : AEGIS_WARNING)
                     .certainty(AEGIS_CERTAIN)
                     .message("the mask adds {}, which {} in {}", plane.fill,
                              infinite ? "becomes -inf" : "leaves no room for a sum", format->name);
    found.evidence("value", AEGIS_PLAIN, plane.fill)
        .evidence("rounds_to", rounds_to(plane.fill, *format))
        .relate(plane.constant, "mask constant")
        .request(BoundConstant{.value = plane.constant, .use = plane.use, .bound = -format->largest / 4}, Safety::close)
        .request(BoolMask{.value = plane.value, .use = plane.use, .softmax = node}, Safety::close)
        // In FLOAT the fill is finite, and the next Cast would make it -inf again: FLOAT reaches to the Softmax.
        .request(KeepWide{.what = AEGIS_KEEP_REGION, .node = plane.use.node, .region = plane.way}, Safety::exact);
  }
}

static constexpr Example bad[] = {
    {.as = "bf16",
     .text = "g (bool[4,16,16] m, float[4,16,16] s) => (float[4,16,16] y) <float fill = {-3.4028234663852886e38}> "
             "{ masked = Where(m, s, fill)  y = Softmax(masked) }"},
    {.as = "fp16",
     .text = "g (float[4,16,16] s, float[4,1,16] keep) => (float[4,16,16] y) <float one = {1}, float fill = {-50000}> "
             "{ drop = Sub(one, keep)  mask = Mul(drop, fill)  masked = Add(s, mask)  y = Softmax(masked) }"}};
static constexpr Example good[] = {
    {.as = "fp16",
     .text = "g (float[4,16,16] s, float[4,1,16] keep) => (float[4,16,16] y) <float one = {1}, float fill = {-10000}> "
             "{ drop = Sub(one, keep)  mask = Mul(drop, fill)  masked = Add(s, mask)  y = Softmax(masked) }"}};

AEGIS_RULE(unsafe_mask_constant) = {
    .code = "PR305",
    .severity = AEGIS_WARNING,
    .safety = AEGIS_CLOSE,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_PINS,
    .ops = ops<"Softmax", "LogSoftmax", "Attention", "com.microsoft::MultiHeadAttention">,
    .facts = facts<aegis_mask, aegis_type_group>,
    .silences = codes<"PR301">,
    .check = entry<check>,
    .doc =
        "## What\n"
        "The constant that masks scores before a Softmax is too large for the narrow type.\n\n"
        "## Why\n"
        "A fill that rounds to -inf makes a row without any kept element NaN. One above half of the range leaves "
        "no room: the sum with a score or a second mask is -inf again.\n\n"
        "## Fix\n"
        "Bound the fill at a quarter of the range: it still masks, and stays finite. Or apply the mask as booleans.",
    .bad = list(bad),
    .good = list(good)};
