#include <aegis/rule.hpp>

#include <cmath>
#include <limits>

using namespace aegis::sdk;

static bool is_constant(Context& cx, aegis_value value) {
  const auto* info = some(value) ? cx.value(value) : nullptr;
  if (!info || (info->flags & AEGIS_VALUE_CONSTANT)) return true;
  const auto* producer = some(info->producer) ? cx.node(info->producer) : nullptr;
  return producer && (producer->flags & AEGIS_NODE_CONSTANT);
}

// Does data decide what the plane masks? A constant mask, such as a causal one, was made with its rows in mind.
static bool depends_on_data(Context& cx, const aegis_mask_plane& plane) {
  if (cx.is(plane.use.node, "Where")) return !is_constant(cx, cx.input(plane.use.node, 0));
  return !is_constant(cx, plane.value);
}

static void check(Context& cx, Node node) {
  const auto* mask = cx.fact<aegis_mask>(node);
  if (!mask || mask->may_empty_row == AEGIS_NO || mask->guarded == AEGIS_YES) return;
  const bool sure = mask->may_empty_row == AEGIS_YES;
  for (const auto& plane : Items<aegis_mask_plane>(mask->planes)) {
    if (!(plane.fill == -std::numeric_limits<double>::infinity()) || !some(plane.use.node)) continue;
    if (!depends_on_data(cx, plane)) continue;
    const FloatFormat* format = cx.narrow(plane.value);
    const double bound = -(format ? format->largest : double{std::numeric_limits<float>::max()}) / 4;
    auto found = cx.finding(plane.use.node)
                     .severity(sure ? AEGIS_WARNING : AEGIS_INFO)
                     .message("a row may be masked to -inf altogether: its Softmax is NaN");
    found.evidence("row_source", some(mask->row_source) ? view(cx.value(mask->row_source)->name) : "unknown")
        .relate(plane.constant, "mask constant")
        .request(BoundConstant{.value = plane.constant, .use = plane.use, .bound = bound}, Safety::close);
  }
}

static constexpr Example bad[] = {
    {.as = "bf16",
     .text = "g (float[4,16,16] s, bool[4,1,16] keep) => (float[4,16,16] y) <float fill = {-inf}> "
             "{ masked = Where(keep, s, fill)  y = Softmax(masked) }"}};
static constexpr Example good[] = {
    {.as = "bf16",
     .text = "g (float[4,16,16] s, bool[4,1,16] keep) => (float[4,16,16] y) <float fill = {-10000}> "
             "{ masked = Where(keep, s, fill)  y = Softmax(masked) }"}};

AEGIS_RULE(fully_masked_row) = {
    .code = "PR307",
    .severity = AEGIS_WARNING,
    .safety = AEGIS_CLOSE,
    .ops = ops<"Softmax", "LogSoftmax">,
    .facts = facts<aegis_mask, aegis_type_group>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A mask of -inf can cover every element of a row before a Softmax, and nothing puts the row right.\n\n"
        "## Why\n"
        "The Softmax of a row of -inf is 0/0: NaN, which spreads.\n\n"
        "## Fix\n"
        "Bound the fill: a large negative number masks as well and keeps the row finite.",
    .bad = list(bad),
    .good = list(good)};
