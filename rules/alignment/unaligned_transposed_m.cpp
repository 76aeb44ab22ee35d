#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Node node) {
  const auto* gemm = cx.fact<aegis_gemm>(node);
  const auto* align = cx.fact<aegis_align>(node);
  if (!gemm || !align || align->kind != AEGIS_ALIGN_SOFT || some(gemm->core)) return;
  if (!(gemm->flags & AEGIS_GEMM_SIZED) || !(gemm->flags & AEGIS_GEMM_TRANS_A)) return;
  if (gemm->m.dim.kind != AEGIS_DIM_VALUE || !(align->off_tier1 & AEGIS_M)) return;
  const auto pad = cx.query(aegis_pad_in{.node = node, .dims = AEGIS_M, .multiple = align->tier1});
  if (!pad) return;
  auto found = cx.finding(node).message(
      "M is {} and contiguous, since A is read transposed; it is not a multiple of {}", cx.text(gemm->m), align->tier1);
  found.standard(node).padding(*pad).evidence("row_bytes", AEGIS_BYTES, align->row_bytes);
  if (gemm->flags & AEGIS_GEMM_A_WEIGHT) {
    found.request(PadDim{.dim = gemm->m, .multiple = align->tier1}, Safety::close);
  } else {
    found.advise("materialise the transpose: M is free in a row-major product");
  }
}

static constexpr Example bad[] = {
    {.as = "fp16",
     .weights = "b",
     .text = "g (float[4096,1157] a, float[4096,1024] b) => (float[1157,1024] y) { y = Gemm<transA = 1>(a, b) }"}};
static constexpr Example good[] = {
    {.as = "fp16",
     .weights = "b",
     .text = "g (float[1157,4096] a, float[4096,1024] b) => (float[1157,1024] y) { y = Gemm(a, b) }"}};

AEGIS_RULE(unaligned_transposed_m) = {
    .code = "AL103",
    .severity = AEGIS_INFO,
    .safety = AEGIS_CLOSE,
    .flags = AEGIS_RULE_EFFICIENCY,
    .ops = ops<"Gemm", "MatMul", "com.microsoft::FusedMatMul">,
    .facts = facts<aegis_gemm, aegis_align, aegis_cost, aegis_roofline>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "The first operand is read transposed, so M is the contiguous dim, and it is not a multiple of what the "
        "type wants.\n\n"
        "## Why\n"
        "Rows of M elements that are no multiple of 16 bytes miss the fast path. Without the transpose M is free.\n\n"
        "## Fix\n"
        "Pad M where the operand is a weight; else store it the other way round.",
    .bad = list(bad),
    .good = list(good)};
