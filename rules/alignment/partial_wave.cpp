#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Group group) {
  const auto* waves = cx.fact<aegis_waves>(group.first);
  const auto* roof = cx.fact<aegis_roofline>(group);
  const auto* cost = cx.fact<aegis_cost>(group);
  if (!waves || !roof || !cost) return;
  if (!(waves->e_quant < cx.option("max_efficiency")) || !(waves->waves <= cx.option("max_waves"))) return;
  if (!(roof->intensity.fused >= roof->ridge)) return;
  if (!(cost->percent.fused >= 100 * cx.option("min_time_share"))) return;
  cx.finding(group)
      .message("{} tiles of {} x {} fill {} waves of {} multiprocessors to {} of their work", waves->tiles,
               waves->tile_m, waves->tile_n, waves->waves, cx.target()->sm_count, waves->e_quant)
      .standard(group)
      .evidence("tiles", AEGIS_PLAIN, waves->tiles)
      .evidence("waves", AEGIS_PLAIN, waves->waves)
      .evidence("e_tile", AEGIS_FRACTION, waves->e_tile)
      .evidence("e_wave", AEGIS_FRACTION, waves->e_wave)
      .evidence("sm_count", AEGIS_PLAIN, cx.target()->sm_count)
      .evidence("next_better_m", AEGIS_ELEMENTS, waves->next_better_m)
      .evidence("next_better_n", AEGIS_ELEMENTS, waves->next_better_n)
      .advise("another batch or width; persistent and split-K kernels lose less, so this is an upper bound");
}

static constexpr Option options[] = {
    {.key = "max_efficiency", .value = 0.70, .max = 1, .help = "the share of useful work below which it fires"},
    {.key = "max_waves", .value = 4, .max = 1000, .help = "the most waves of the best tile"},
    {.key = "min_time_share", .value = 0.02, .max = 1, .help = "the least share of the model's time, as a fraction"}};
static constexpr Example bad[] = {
    {.as = "bf16",
     .weights = "w",
     .text = "g (float[1793,4096] x, float[4096,1793] w) => (float[1793,1793] y) { y = MatMul(x, w) }"}};
static constexpr Example good[] = {
    {.as = "bf16",
     .weights = "w",
     .text = "g (float[1792,4096] x, float[4096,1792] w) => (float[1792,1792] y) { y = MatMul(x, w) }"},
    {.as = "bf16",
     .text = "g (float[8192,4096] x, float[4096,14336] w) => (float[8192,14336] y) { y = MatMul(x, w) }"}};

AEGIS_RULE(partial_wave) = {
    .code = "AL111",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_INFO,
    .flags = AEGIS_RULE_EFFICIENCY,
    .ops = ops<"MatMul", "Gemm", "Conv">,
    .facts = facts<aegis_waves, aegis_cost, aegis_roofline>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "The tiles of a product fill the last wave of multiprocessors badly.\n\n"
        "## Why\n"
        "Tiles run in waves of one for each multiprocessor slot. One tile more than a full wave costs a whole wave.\n\n"
        "## Fix\n"
        "Another batch or width: the finding names the next larger extents that fill better.",
    .bad = list(bad),
    .good = list(good)};
