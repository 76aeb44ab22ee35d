#include <aegis/rule.hpp>

#include <cmath>

using namespace aegis::sdk;

static void check(Context& cx, Group group) {
  for (const aegis_node softmax : group.members) {
    const auto* mask = cx.fact<aegis_mask>(softmax);
    if (!mask || mask->planes.count < 2) continue;
    const Items<aegis_mask_plane> planes(mask->planes);
    const auto& last = planes[planes.size() - 1];
    const FloatFormat* format = cx.narrow(last.value);
    if (!format || !some(last.use.node) || !(std::fabs(mask->sum) >= format->infinite_from)) continue;
    const double each = -format->largest / (2.0 * static_cast<double>(planes.size()));
    auto found = cx.finding(last.use.node)
                     .certainty(AEGIS_CERTAIN)
                     .message("{} masks add up to {}, which is infinite in {}", planes.size(), mask->sum, format->name);
    found.evidence("planes", AEGIS_PLAIN, planes.size())
        .evidence("sum", AEGIS_PLAIN, mask->sum)
        .request(KeepWide{.what = AEGIS_KEEP_REGION, .node = softmax, .region = planes[0].way}, Safety::exact);
    for (const auto& plane : planes) {
      found.relate(plane.constant, "mask constant")
          .request(BoundConstant{.value = plane.constant, .use = plane.use, .bound = each}, Safety::close);
    }
  }
}

#define TWO(fill)                                                                                                   \
  "g (float[4,16,16] s, float[4,1,16] a, float[4,16,1] b) => (float[4,16,16] y) <float one = {1}, float f = {" fill \
  "}, float h = {" fill                                                                                             \
  "}> { na = Sub(one, a)  ma = Mul(na, f)  nb = Sub(one, b)  mb = Mul(nb, h)  "                                     \
  "t = Add(s, ma)  u = Add(t, mb)  y = Softmax(u) }"

static constexpr Example bad[] = {{.as = "fp16", .text = TWO("-50000")}};
static constexpr Example good[] = {{.as = "fp16", .text = TWO("-10000")}};

AEGIS_RULE(stacked_masks) = {
    .code = "PR306",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_ERROR,
    .safety = AEGIS_CLOSE,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_PINS,
    .ops = ops<"Softmax", "LogSoftmax">,
    .facts = facts<aegis_mask, aegis_type_group>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "Several masks are added to the scores of one Softmax, and their fills together leave the narrow type.\n\n"
        "## Why\n"
        "Where both masks apply the sum is -inf, and a row with nothing else is NaN.\n\n"
        "## Fix\n"
        "Bound each fill so that the sum stays finite.",
    .bad = list(bad),
    .good = list(good)};
