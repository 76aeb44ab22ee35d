#include <aegis/rule.hpp>
using namespace aegis::sdk;
static void check(Context& cx, Node node) {
  const auto* gemm = cx.fact<aegis_gemm>(node);
  const auto* align = cx.fact<aegis_align>(node);
  if (!gemm || !align || align->kind != AEGIS_ALIGN_SOFT || gemm->core.id != AEGIS_NONE) return;
  if (!(gemm->flags & AEGIS_GEMM_SIZED) || !(align->off_tier1 & AEGIS_K)) return;
  const auto pad = cx.query(aegis_pad_in{.node = node, .dims = AEGIS_K, .multiple = align->tier1});
  if (!pad) return;
  cx.finding(node).message("K is {}, not a multiple of {}", cx.text(gemm->k), align->tier1)
      .standard(node).padding(*pad)
      .request(PadDim{.dim = gemm->k, .multiple = align->tier1}, Safety::close);
}
static constexpr Example bad[] = {{.target = "a100_sxm_80", .as = "fp16", .weights = "w",
    .text = "g (float[2048,1023] x, float[1023,4096] w) => (float[2048,4096] y) { y = MatMul(x, w) }"}};
static constexpr Example good[] = {{.text = "g (float[64,64] x) => (float[64,64] y) { y = MatMul(x, x) }"}};
AEGIS_RULE(unaligned_gemm_k) = {.code = "AL101", .severity = AEGIS_WARNING, .safety = AEGIS_CLOSE,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_EFFICIENCY, .ops = ops<"MatMul", "Gemm", "Einsum">,
    .facts = facts<aegis_gemm, aegis_align, aegis_cost, aegis_roofline>, .check = entry<check>,
    .doc = "## What ... ## Why ... ## Fix ...", .bad = list(bad), .good = list(good)};
