#include <aegis/rule.hpp>
using namespace aegis::sdk;
static void check(Context& cx, Group group) {
  const auto* cost = cx.fact<aegis_cost>(group);
  const auto* roof = cx.fact<aegis_roofline>(group);
  if (!cost || !roof || !(roof->intensity.fused < roof->ridge)) return;
  if (!(cost->percent.op >= 100 * cx.option("min_time_share"))) return;
  cx.finding(group).message("{} us wait for memory", cost->time_us.fused)
      .standard(group).evidence("m_min", AEGIS_ROWS, roof->m_min).advise("a larger batch or smaller weights");
}
static constexpr Option options[] = {{.key = "min_time_share", .value = 0.05, .max = 1, .help = "least share"}};
static constexpr Example bad[] = {{.text = "g (float[1,256] x, float[256,256] w) => (float[1,256] y) { y = MatMul(x, w) }"}};
static constexpr Example good[] = {{.text = "g (float[4096,4096] x) => (float[4096,4096] y) { y = MatMul(x, x) }"}};
AEGIS_RULE(memory_bound_gemm) = {.code = "MB201", .unit = AEGIS_UNIT_GROUP, .ops = ops<"MatMul", "Gemm">,
    .facts = facts<aegis_cost, aegis_roofline>, .options = list(options), .check = entry<check>,
    .doc = "...", .bad = list(bad), .good = list(good)};
