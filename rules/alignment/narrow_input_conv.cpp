#include <aegis/rule.hpp>

using namespace aegis::sdk;

static constexpr std::int64_t wanted = 4;

static bool is_small(aegis_dtype compute) {
  return compute == AEGIS_DTYPE_FLOAT16 || compute == AEGIS_DTYPE_BFLOAT16 || compute == AEGIS_DTYPE_INT8;
}

static void check(Context& cx, Node node) {
  const auto* conv = cx.fact<aegis_conv>(node);
  if (!conv || !is_small(conv->compute) || conv->group != 1 || !some(conv->input_root)) return;
  const std::int64_t ci = conv->ci.dim.value, co = conv->co.dim.value;
  if (conv->ci.dim.kind != AEGIS_DIM_VALUE || ci < 1 || ci >= wanted) return;
  auto found =
      cx.finding(node).message("the first convolution reads {} channels of 16 bits or less, {} are faster", ci, wanted);
  found.standard(node);
  const auto pad = cx.query(aegis_pad_in{.node = node, .dims = AEGIS_CI, .multiple = wanted});
  if (pad) found.padding(*pad);
  if (ci == 3 && (co == 32 || co == 64)) found.request(PadDim{.dim = conv->ci, .multiple = wanted}, Safety::close);
}

static constexpr Example bad[] = {
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[8,3,224,224] x, float[64,3,7,7] w) => (float[8,64,218,218] y) { y = Conv(x, w) }"}};
static constexpr Example good[] = {
    {.weights = "w",
     .text = "g (float[8,3,224,224] x, float[64,3,7,7] w) => (float[8,64,218,218] y) { y = Conv(x, w) }"},
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[8,4,224,224] x, float[64,4,7,7] w) => (float[8,64,218,218] y) { y = Conv(x, w) }"}};

AEGIS_RULE(narrow_input_conv) = {
    .code = "AL107",
    .severity = AEGIS_INFO,
    .safety = AEGIS_CLOSE,
    .flags = AEGIS_RULE_EFFICIENCY,
    .ops = ops<"Conv", "com.microsoft::NhwcConv", "com.microsoft::FusedConv", "QLinearConv", "ConvInteger">,
    .facts = facts<aegis_conv, aegis_cost, aegis_roofline>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "The first convolution reads an image of one to three channels in a 16-bit or 8-bit type.\n\n"
        "## Why\n"
        "Kernels read four channels at once; with three the rows are not aligned.\n\n"
        "## Fix\n"
        "Pad three channels to four where 32 or 64 come out, which costs one Pad at the input.",
    .bad = list(bad),
    .good = list(good)};
