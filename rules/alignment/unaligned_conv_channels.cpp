#include <aegis/rule.hpp>

using namespace aegis::sdk;

// Channels up to here are an image's own; padding them is another rule's matter.
static constexpr std::int64_t few_channels = 4;

static std::uint32_t off(Context& cx, const aegis_conv& conv, std::int64_t multiple) {
  const auto misses = [&](const aegis_extent& channels) {
    return cx.at_least(channels.dim, few_channels + 1) == AEGIS_YES && cx.divides(channels.dim, multiple) == AEGIS_NO;
  };
  std::uint32_t dims = 0;
  if (misses(conv.ci)) dims |= AEGIS_CI;
  if (misses(conv.co)) dims |= AEGIS_CO;
  return dims;
}

static std::int64_t multiple_of(Context& cx, const aegis_conv& conv, const aegis_align& align) {
  if (conv.compute != AEGIS_DTYPE_INT8 || cx.option("vectorized_int8") == 0) return align.tier1;
  const auto wanted = cx.alignment(conv.compute);
  return wanted ? wanted->sparse : align.tier1;
}

static void check(Context& cx, Node node) {
  const auto* conv = cx.fact<aegis_conv>(node);
  const auto* align = cx.fact<aegis_align>(node);
  if (!conv || !align || conv->group != 1 || align->kind != AEGIS_ALIGN_SOFT) return;
  const std::int64_t multiple = multiple_of(cx, *conv, *align);
  const std::uint32_t dims = off(cx, *conv, multiple);
  if (dims == 0) return;
  const auto pad = cx.query(aegis_pad_in{.node = node, .dims = dims, .multiple = multiple});
  if (!pad) return;
  const bool nhwc = (conv->flags & AEGIS_CONV_NHWC) != 0;
  auto opened = cx.finding(node).severity(nhwc ? AEGIS_WARNING : AEGIS_INFO);
  auto found =
      dims == (AEGIS_CI | AEGIS_CO)
          ? opened.message("{} input and {} output channels, neither a multiple of {}", cx.text(conv->ci),
                           cx.text(conv->co), multiple)
          : opened.message("{} {} channels, not a multiple of {}", cx.text(dims == AEGIS_CI ? conv->ci : conv->co),
                           dims == AEGIS_CI ? "input" : "output", multiple);
  found.standard(node).padding(*pad);
  if (dims & AEGIS_CI) found.request(PadDim{.dim = conv->ci, .multiple = multiple}, Safety::close);
  if (dims & AEGIS_CO) found.request(PadDim{.dim = conv->co, .multiple = multiple}, Safety::close);
}

static constexpr Option options[] = {{.type = AEGIS_OPTION_BOOL,
                                      .key = "vectorized_int8",
                                      .value = 0,
                                      .max = 1,
                                      .help = "INT8 convolutions want multiples of 32, as vectorised layouts do"}};
static constexpr Example bad[] = {
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[8,44,56,56] x, float[20,44,3,3] w) => (float[8,20,54,54] y) { y = Conv(x, w) }"}};
static constexpr Example good[] = {
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[8,96,56,56] x, float[96,96,3,3] w) => (float[8,96,32,32] y) "
             "{ y = Conv<dilations = [12,12]>(x, w) }"},
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[8,3,224,224] x, float[64,3,7,7] w) => (float[8,64,218,218] y) { y = Conv(x, w) }"},
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[8,44,56,56] x, float[44,1,3,3] w) => (float[8,44,54,54] y) { y = Conv<group = 44>(x, w) }"}};

AEGIS_RULE(unaligned_conv_channels) = {
    .code = "AL105",
    .severity = AEGIS_INFO,
    .safety = AEGIS_CLOSE,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_EFFICIENCY,
    .ops = ops<"Conv", "ConvTranspose", "QLinearConv", "ConvInteger", "com.microsoft::FusedConv",
               "com.microsoft::NhwcConv">,
    .facts = facts<aegis_conv, aegis_align, aegis_cost, aegis_roofline>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "The channels of an ungrouped convolution are not a multiple of what the compute type wants: 8 for FP16 and "
        "BF16, 4 for TF32, 16 for INT8.\n\n"
        "## Why\n"
        "As a matrix product a convolution has its channels in K and N. Libraries pad packed NCHW tensors by "
        "themselves, so this is information there; a node in NHWC layout pays.\n\n"
        "## Fix\n"
        "Pad the channels of the weights with zeros, and those of the neighbours with them.",
    .bad = list(bad),
    .good = list(good)};
