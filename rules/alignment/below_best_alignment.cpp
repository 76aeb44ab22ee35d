#include <aegis/rule.hpp>

using namespace aegis::sdk;

static std::uint32_t off_best(const aegis_align& align) {
  return align.off_tier1 & (AEGIS_N | AEGIS_K) ? 0 : align.off_tier2 & (AEGIS_N | AEGIS_K);
}

static void check(Context& cx, Node node) {
  const auto* gemm = cx.fact<aegis_gemm>(node);
  const auto* align = cx.fact<aegis_align>(node);
  const auto* roof = cx.fact<aegis_roofline>(node);
  if (!gemm || !align || !roof || align->kind != AEGIS_ALIGN_SOFT || some(gemm->core)) return;
  const std::uint32_t dims = off_best(*align);
  if (dims == 0 || cx.target()->cc < 80 || !(roof->intensity.fused >= roof->ridge)) return;
  const auto pad = cx.query(aegis_pad_in{.node = node, .dims = dims, .best = 1});
  if (!pad || !(pad->point >= 1 + cx.option("min_gain"))) return;
  auto found = cx.finding(node).message("aligned to 16 bytes, not to the {} elements that are best", align->tier2);
  found.standard(node).padding(*pad);
  for (const std::uint32_t bit : {std::uint32_t{AEGIS_N}, std::uint32_t{AEGIS_K}}) {
    if (!(dims & bit)) continue;
    found.request(PadDim{.dim = bit == AEGIS_N ? gemm->n : gemm->k, .multiple = pad->multiple, .flags = AEGIS_PAD_BEST},
                  Safety::close);
  }
}

static constexpr Option options[] = {
    {.key = "min_gain", .value = 0.05, .max = 10, .help = "the least predicted gain, as a fraction"}};
static constexpr Example bad[] = {
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[4096,4104] x, float[4104,4096] w) => (float[4096,4096] y) { y = MatMul(x, w) }"}};
static constexpr Example good[] = {
    {.as = "fp16",
     .weights = "w",
     .text = "g (float[4096,4112] x, float[4112,4096] w) => (float[4096,4096] y) { y = MatMul(x, w) }"},
    {.target = "h200_sxm",
     .as = "fp16",
     .weights = "w",
     .text = "g (float[4096,4104] x, float[4104,4096] w) => (float[4096,4096] y) { y = MatMul(x, w) }"}};

AEGIS_RULE(below_best_alignment) = {
    .code = "AL112",
    .severity = AEGIS_INFO,
    .safety = AEGIS_CLOSE,
    .flags = AEGIS_RULE_EFFICIENCY,
    .ops = ops<"MatMul", "Gemm", "Einsum", "com.microsoft::FusedMatMul">,
    .facts = facts<aegis_gemm, aegis_align, aegis_cost, aegis_roofline>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "K and N are multiples of 16 bytes, and one of them is no multiple of the 128 bytes that are best.\n\n"
        "## Why\n"
        "The last steps of alignment win a few percent where a product is limited by arithmetic.\n\n"
        "## Fix\n"
        "Pad to the multiple that the finding names; the rewriter does it only when `[padding] best` asks for it.",
    .bad = list(bad),
    .good = list(good)};
