#include <aegis/rule.hpp>

using namespace aegis::sdk;

static bool is_pointwise(const aegis_conv& conv) {
  for (std::uint32_t i = 0; i < conv.rank && i < 3; ++i) {
    if (conv.kernel[i] != 1) return false;
  }
  return true;
}

static void check(Context& cx, Group group) {
  const auto* conv = cx.fact<aegis_conv>(group.first);
  const auto* cost = cx.fact<aegis_cost>(group);
  const auto* roof = cx.fact<aegis_roofline>(group);
  if (!conv || !cost || !roof || (conv->group == 1 && !is_pointwise(*conv))) return;
  // Of the type that it is in: a depthwise convolution itself runs off the Tensor Cores, with a lower ridge.
  const auto* rate = cx.rate(conv->compute);
  if (!rate || !(roof->intensity.fused < rate->ridge / 4)) return;
  if (!(cost->percent.op >= 100 * cx.option("min_time_share"))) return;
  cx.finding(group)
      .message("{} FLOP for each byte: a {} convolution waits for memory", roof->intensity.fused,
               conv->flags & AEGIS_CONV_DEPTHWISE ? "depthwise"
               : conv->group > 1                  ? "grouped"
                                                  : "pointwise")
      .standard(group)
      .evidence("groups", AEGIS_PLAIN, conv->group)
      .advise("fuse it with its neighbours: the math is not what it waits for");
}

static constexpr Option options[] = {
    {.key = "min_time_share", .value = 0.05, .max = 1, .help = "the least share of the model's time, as a fraction"}};
static constexpr Example bad[] = {
    {.as = "bf16",
     .weights = "w",
     .text = "g (float[8,96,112,112] x, float[96,1,3,3] w) => (float[8,96,110,110] y) { y = Conv<group = 96>(x, w) }"}};
static constexpr Example good[] = {
    {.as = "bf16",
     .weights = "w",
     .text = "g (float[8,64,56,56] x, float[64,64,3,3] w) => (float[8,64,54,54] y) { y = Conv(x, w) }"}};

AEGIS_RULE(low_intensity_conv) = {
    .code = "MB202",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_INFO,
    .ops = ops<"Conv", "ConvTranspose">,
    .facts = facts<aegis_conv, aegis_cost, aegis_roofline>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "A depthwise, grouped or pointwise convolution does few FLOPs for each byte.\n\n"
        "## Why\n"
        "It waits for memory; a depthwise convolution does not use Tensor Cores at all.\n\n"
        "## Fix\n"
        "None in the file: fuse it with its neighbours.",
    .bad = list(bad),
    .good = list(good)};
