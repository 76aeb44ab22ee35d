#include <aegis/rule.hpp>

using namespace aegis::sdk;

static constexpr std::int64_t wanted = 64;

static void check(Context& cx, Node node) {
  const auto* gemm = cx.fact<aegis_gemm>(node);
  const auto* align = cx.fact<aegis_align>(node);
  if (!gemm || !align || align->kind != AEGIS_ALIGN_SOFT || some(gemm->core)) return;
  if (cx.at_least(gemm->n.dim, static_cast<std::int64_t>(cx.option("min_vocabulary"))) != AEGIS_YES) return;
  if (cx.divides(gemm->n.dim, wanted) != AEGIS_NO) return;
  const auto* role = cx.fact<aegis_role>(gemm->y);
  if (!role || role->role != AEGIS_ROLE_LOGITS) return;
  const auto pad = cx.query(aegis_pad_in{.node = node, .dims = AEGIS_N, .multiple = wanted});
  if (!pad) return;
  const bool mild = cx.divides(gemm->n.dim, 8) == AEGIS_YES;
  cx.finding(node)
      .severity(mild ? AEGIS_INFO : AEGIS_WARNING)
      .message("the vocabulary of {} is not a multiple of {}", cx.text(gemm->n), wanted)
      .standard(node)
      .padding(*pad)
      .evidence("logits_bytes", AEGIS_BYTES, cx.bytes(gemm->y))
      .request(PadDim{.dim = gemm->n, .multiple = wanted}, Safety::close);
}

static constexpr Option options[] = {{.type = AEGIS_OPTION_INT,
                                      .key = "min_vocabulary",
                                      .value = 8192,
                                      .min = 1,
                                      .max = 1e9,
                                      .help = "the least N that counts as a vocabulary"}};
static constexpr Example bad[] = {
    {.as = "bf16",
     .weights = "w",
     .text = "g (float[512,768] x, float[768,50257] w) => (float[512,50257] y) { y = MatMul(x, w) }"}};
static constexpr Example good[] = {
    {.as = "bf16",
     .weights = "w",
     .text = "g (float[512,768] x, float[768,32000] w) => (float[512,32000] y) { y = MatMul(x, w) }"},
    {.as = "bf16",
     .weights = "w;v",
     .text = "g (float[512,768] x, float[768,50257] w, float[50257,64] v) => (float[512,64] z) "
             "{ y = MatMul(x, w)  r = Relu(y)  z = MatMul(r, v) }"}};

AEGIS_RULE(unaligned_vocab_head) = {
    .code = "AL104",
    .severity = AEGIS_WARNING,
    .safety = AEGIS_CLOSE,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_EFFICIENCY,
    .ops = ops<"MatMul", "Gemm">,
    .facts = facts<aegis_gemm, aegis_align, aegis_role, aegis_cost, aegis_roofline>,
    .silences = codes<"AL102", "AL112">,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "The product that makes the logits has a vocabulary that is not a multiple of 64.\n\n"
        "## Why\n"
        "It is often the largest single product of a language model, and N is contiguous in its weights and in the "
        "logits. Published cases gained 1.3x for a whole step from 50257 to 50304.\n\n"
        "## Fix\n"
        "Pad the vocabulary to the next multiple of 64 and cut the logits before they leave the graph.",
    .bad = list(bad),
    .good = list(good)};
