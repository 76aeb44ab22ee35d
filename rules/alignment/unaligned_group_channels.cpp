#include <aegis/rule.hpp>

using namespace aegis::sdk;

static bool misses(Context& cx, const aegis_extent& channels, std::int64_t group, std::int64_t multiple) {
  return channels.dim.kind == AEGIS_DIM_VALUE && cx.divides(channels.dim, group * multiple) == AEGIS_NO;
}

static void check(Context& cx, Node node) {
  const auto* conv = cx.fact<aegis_conv>(node);
  const auto* align = cx.fact<aegis_align>(node);
  if (!conv || !align || align->kind != AEGIS_ALIGN_SOFT) return;
  if (conv->group <= 1 || (conv->flags & AEGIS_CONV_DEPTHWISE) || conv->ci.dim.value <= conv->group) return;
  const bool ci = misses(cx, conv->ci, conv->group, align->tier1), co = misses(cx, conv->co, conv->group, align->tier1);
  if (!ci && !co) return;
  const std::uint32_t dims = (ci ? std::uint32_t{AEGIS_CI} : 0) | (co ? std::uint32_t{AEGIS_CO} : 0);
  auto found =
      cx.finding(node).message("{} groups of {} input and {} output channels, not multiples of {}", conv->group,
                               conv->ci.dim.value / conv->group, conv->co.dim.value / conv->group, align->tier1);
  found.standard(node).evidence("groups", AEGIS_PLAIN, conv->group);
  if (const auto pad = cx.query(aegis_pad_in{.node = node, .dims = dims, .multiple = align->tier1}))
    found.padding(*pad);
  const auto blocks = static_cast<std::uint32_t>(conv->group);
  for (const aegis_extent* channels : {&conv->ci, &conv->co}) {
    if (channels == &conv->ci ? !ci : !co) continue;
    found.request(PadDim{.inside = AEGIS_PAD_PER_GROUP, .dim = *channels, .multiple = align->tier1, .blocks = blocks},
                  Safety::close);
  }
  found.advise("a 16-bit recast of a grouped convolution may lose: time it");
}

static constexpr Example bad[] = {
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[8,80,56,56] x, float[64,20,3,3] w) => (float[8,64,54,54] y) { y = Conv<group = 4>(x, w) }"}};
static constexpr Example good[] = {
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[8,64,56,56] x, float[64,16,3,3] w) => (float[8,64,54,54] y) { y = Conv<group = 4>(x, w) }"},
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[8,44,56,56] x, float[44,1,3,3] w) => (float[8,44,54,54] y) { y = Conv<group = 44>(x, w) }"}};

AEGIS_RULE(unaligned_group_channels) = {
    .code = "AL106",
    .severity = AEGIS_INFO,
    .safety = AEGIS_CLOSE,
    .flags = AEGIS_RULE_EFFICIENCY,
    .ops = ops<"Conv", "ConvTranspose">,
    .facts = facts<aegis_conv, aegis_align, aegis_cost, aegis_roofline>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "The channels of each group of a grouped convolution are no multiple of what the type wants.\n\n"
        "## Why\n"
        "Kernels for grouped convolutions may skip the Tensor Cores or transform the layout first.\n\n"
        "## Fix\n"
        "None by default; `[padding] grouped` lets the rewriter pad inside each group.",
    .bad = list(bad),
    .good = list(good)};
