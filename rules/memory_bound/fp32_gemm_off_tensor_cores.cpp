#include <aegis/rule.hpp>

using namespace aegis::sdk;

// A FLOAT product or convolution that is large enough to be limited by the FP32 units.
static bool eligible(Context& cx, aegis_node node, double fp32_ridge) {
  if (const auto* gemm = cx.fact<aegis_gemm>(node)) {
    if (gemm->a_type != AEGIS_DTYPE_FLOAT || gemm->b_type != AEGIS_DTYPE_FLOAT) return false;
    if (gemm->compute != AEGIS_DTYPE_FLOAT && gemm->compute != AEGIS_DTYPE_TF32) return false;
    if (cx.at_least(gemm->k.dim, 16) != AEGIS_YES || cx.at_least(gemm->n.dim, 16) != AEGIS_YES) return false;
  } else if (const auto* conv = cx.fact<aegis_conv>(node)) {
    if (cx.dtype(conv->x) != AEGIS_DTYPE_FLOAT) return false;
    if (conv->compute != AEGIS_DTYPE_FLOAT && conv->compute != AEGIS_DTYPE_TF32) return false;
    if (cx.at_least(conv->k, 16) != AEGIS_YES || cx.at_least(conv->n, 16) != AEGIS_YES) return false;
  } else {
    return false;
  }
  const auto* roof = cx.fact<aegis_roofline>(node);
  return roof && roof->intensity.fused >= fp32_ridge;
}

// The predicted time of a node in a type, as the fused regime counts it; 0 when there is none.
static double time_in(Context& cx, aegis_node node, aegis_dtype compute, aegis_dtype storage) {
  const auto cost = cx.query(aegis_cost_in{.compute = compute, .storage = storage, .place = place_of(node)});
  return cost && cost->time_us.fused > 0 ? cost->time_us.fused : 0;
}

static bool faster(Context& cx, aegis_dtype dtype, const aegis_rate& fp32) {
  const auto* rate = cx.rate(dtype);
  return rate && rate->tflops * rate->ceiling >= 1.5 * fp32.tflops * fp32.ceiling;
}

static void check(Context& cx) {
  const auto* fp32 = cx.rate(AEGIS_DTYPE_FLOAT);
  const auto* total = cx.fact<aegis_cost>();
  if (!fp32 || !total || cx.view()->planned == AEGIS_DTYPE_TF32) return;
  const bool tf32 = faster(cx, AEGIS_DTYPE_TF32, *fp32), bf16 = faster(cx, AEGIS_DTYPE_BFLOAT16, *fp32);
  const bool fp16 = faster(cx, AEGIS_DTYPE_FLOAT16, *fp32);
  if (!tf32 && !bf16 && !fp16) return;
  const aegis_dtype narrow = bf16 ? AEGIS_DTYPE_BFLOAT16 : AEGIS_DTYPE_FLOAT16;
  double flops = 0, strict_us = 0, tf32_us = 0, narrow_us = 0;
  std::uint32_t nodes = 0;
  for (const aegis_node node : cx.nodes("")) {
    const auto* cost = cx.fact<aegis_cost>(node);
    if (!cost || !(cost->flops > 0) || !eligible(cx, node, fp32->ridge)) continue;
    ++nodes;
    flops += cost->flops;
    strict_us += time_in(cx, node, AEGIS_DTYPE_FLOAT, AEGIS_DTYPE_FLOAT);
    if (tf32) tf32_us += time_in(cx, node, AEGIS_DTYPE_TF32, AEGIS_DTYPE_FLOAT);
    if (bf16 || fp16) narrow_us += time_in(cx, node, narrow, narrow);
  }
  if (!(100 * flops >= cx.option("min_flops_percent") * total->flops) || nodes == 0) return;
  auto found = cx.finding().message("{} of the FLOPs are FLOAT products, which {} runs faster in other types",
                                    flops >= total->flops ? "all" : "most", view(cx.target()->id));
  found.evidence("eligible_flops", AEGIS_FLOP, flops)
      .evidence("eligible_percent", AEGIS_PERCENT, 100 * flops / total->flops)
      .evidence("nodes", AEGIS_NODES, nodes);
  if (tf32_us > 0) found.evidence("gain_tf32", AEGIS_RATIO, strict_us / tf32_us);
  if (narrow_us > 0) {
    found.evidence("gain_16bit", "strict fp32", AEGIS_RATIO, strict_us / narrow_us);
    if (tf32_us > 0) found.evidence("gain_16bit", "tf32", AEGIS_RATIO, tf32_us / narrow_us);
    found.request(SetType{.what = AEGIS_SET_MODEL, .dtype = narrow}, Safety::lossy);
  }
  if (tf32) found.advise("TF32 is a switch of the runtime: no change to the model");
}

static constexpr Option options[] = {{.key = "min_flops_percent",
                                      .value = 50,
                                      .max = 100,
                                      .help = "the least share of the FLOPs in FLOAT products, in percent"}};
static constexpr Example bad[] = {{.text = "g (float[4096,4096] x) => (float[4096,4096] y) { y = MatMul(x, x) }"}};
static constexpr Example good[] = {
    {.text = "g (float16[4096,4096] x) => (float16[4096,4096] y) { y = MatMul(x, x) }"},
    {.weights = "w", .text = "g (float[1,4096] x, float[4096,4096] w) => (float[1,4096] y) { y = MatMul(x, w) }"}};

AEGIS_RULE(fp32_gemm_off_tensor_cores) = {
    .code = "MB206",
    .unit = AEGIS_UNIT_MODEL,
    .severity = AEGIS_INFO,
    .safety = AEGIS_LOSSY,
    .flags = AEGIS_RULE_STABLE,
    .facts = facts<aegis_gemm, aegis_conv, aegis_cost, aegis_roofline>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "Most of the work is matrix products and convolutions on FLOAT values.\n\n"
        "## Why\n"
        "In strict FP32 they run outside the Tensor Cores. TF32 keeps the file as it is and is what most runtimes "
        "do today; BF16 or FP16 double the rate again and halve the bytes.\n\n"
        "## Fix\n"
        "Recast the model to BF16 (FP16 where the hardware has no BF16), and validate.",
    .bad = list(bad),
    .good = list(good)};
