#include <aegis/rule.hpp>

using namespace aegis::sdk;

static bool is_float(aegis_dtype compute) { return compute == AEGIS_DTYPE_FLOAT || compute == AEGIS_DTYPE_TF32; }

static void check(Context& cx, Group group) {
  const auto* cost = cx.fact<aegis_cost>(group);
  const auto* roof = cx.fact<aegis_roofline>(group);
  if (!cost || !roof || !(roof->intensity.fused < roof->ridge)) return;
  if (!(cost->percent.op >= 100 * cx.option("min_time_share"))) return;
  const double math_us = cost->flops / (roof->peak_tflops * 1e6);
  const double memory_us = cost->bytes.fused / (cx.target()->mem_bw_gbs * cx.target()->bandwidth_fraction * 1e3);
  auto found = cx.finding(group).message("{} us of math, {} us of memory: faster math or padding does not help",
                                         math_us, memory_us);
  found.standard(group)
      .evidence("m_min", AEGIS_ROWS, roof->m_min)
      .evidence("weight_bytes", AEGIS_BYTES, cost->weight_bytes)
      .advise("a larger batch or smaller weights");
  if (!is_float(roof->compute) || !cx.rate(AEGIS_DTYPE_BFLOAT16)) return;
  const auto bf16 = cx.query(
      aegis_cost_in{.compute = AEGIS_DTYPE_BFLOAT16, .storage = AEGIS_DTYPE_BFLOAT16, .place = place_of(group.id)});
  if (bf16) found.evidence("bf16_time_us", AEGIS_MICROSECONDS, bf16->time_us.fused);
  found.request(SetType{.what = AEGIS_SET_MODEL, .dtype = AEGIS_DTYPE_BFLOAT16}, Safety::lossy);
}

static constexpr Option options[] = {
    {.key = "min_time_share", .value = 0.05, .max = 1, .help = "the least share of the model's time, as a fraction"}};
static constexpr Example bad[] = {
    {.weights = "w", .text = "g (float[1,4096] x, float[4096,4096] w) => (float[1,4096] y) { y = MatMul(x, w) }"}};
static constexpr Example good[] = {
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[512,4096] x, float[4096,4096] w) => (float[512,4096] y) { y = MatMul(x, w) }"},
    {.text = "g (float[4096,4096] x) => (float[4096,4096] y) { y = MatMul(x, x) }"}};

AEGIS_RULE(memory_bound_gemm) = {
    .code = "MB201",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_INFO,
    .safety = AEGIS_LOSSY,
    .flags = AEGIS_RULE_STABLE,
    .ops = ops<"MatMul", "Gemm", "Einsum", "com.microsoft::FusedMatMul">,
    .facts = facts<aegis_cost, aegis_roofline>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "A matrix product waits for memory: it does fewer FLOPs for each byte than the hardware can.\n\n"
        "## Why\n"
        "Below the ridge point of the roofline the bytes decide the time. Padding, Tensor Cores and faster math do "
        "not help; reading fewer bytes does.\n\n"
        "## Fix\n"
        "A larger batch (the finding says from how many rows on the product is compute-bound), smaller weights, or "
        "16-bit types, which halve the bytes.",
    .bad = list(bad),
    .good = list(good)};
