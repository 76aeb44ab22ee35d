#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Group group) {
  const auto* chain = cx.fact<aegis_chain>(group);
  const auto* pattern = cx.fact<aegis_pattern>(group);
  if (!chain || !pattern || pattern->nodes.count < static_cast<std::uint64_t>(cx.option("min_convs"))) return;
  cx.finding(group)
      .message("{} connected convolutions in NCHW, which Tensor Core kernels transform", pattern->nodes.count)
      .standard(group)
      .evidence("convs", AEGIS_NODES, pattern->nodes.count)
      .evidence("transform_bytes_min", AEGIS_BYTES, chain->bytes.fused)
      .evidence("transform_bytes_max", AEGIS_BYTES, chain->bytes.op)
      .relate_all(pattern->nodes, "chain", group.first)
      .advise("use the runtime's NHWC path: prefer_nhwc of ONNX Runtime's CUDA provider; TensorRT chooses by itself");
}

static constexpr Option options[] = {{.type = AEGIS_OPTION_INT,
                                      .key = "min_convs",
                                      .value = 3,
                                      .min = 1,
                                      .max = 1000,
                                      .help = "the least convolutions"}};
static constexpr Example bad[] = {
    {.as = "fp16",
     .weights = "a;b;c;d",
     .text = "g (float[8,64,56,56] x, float[64,64,3,3] a, float[64,64,3,3] b, float[64,64,3,3] c, float[64,64,3,3] d) "
             "=> (float[8,64,48,48] y) { p = Conv(x, a)  q = Conv(p, b)  r = Conv(q, c)  y = Conv(r, d) }"}};
static constexpr Example good[] = {
    {.as = "fp16",
     .weights = "a",
     .text = "g (float[8,64,56,56] x, float[64,64,3,3] a) => (float[8,64,54,54] y) { y = Conv(x, a) }"}};

AEGIS_RULE(channels_first_conv) = {
    .code = "MB207",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_INFO,
    .ops = ops<"@conv_chain">,
    .facts = facts<aegis_chain, aegis_pattern, aegis_cost, aegis_roofline>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "Several connected convolutions in the channels-first layout, the only one that ONNX has.\n\n"
        "## Why\n"
        "Tensor Core kernels want channels last; a runtime transforms at the ends of the chain, or around every "
        "convolution.\n\n"
        "## Fix\n"
        "None in the file: switch on the runtime's NHWC path.",
    .bad = list(bad),
    .good = list(good)};
