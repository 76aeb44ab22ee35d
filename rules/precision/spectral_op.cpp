#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  if (!info) return;
  const FloatFormat* format = cx.narrow(cx.input(node, 0));
  if (!format) format = cx.narrow(cx.output(node, 0));
  if (!format) return;
  cx.finding(node)
      .certainty(AEGIS_CERTAIN)
      .message("{} sums long alternating terms in {}", info->op, format->name)
      .evidence("op", view(info->op))
      .request(KeepWide{.what = AEGIS_KEEP_NODE, .node = node}, Safety::exact);
}

static constexpr Example bad[] = {{.as = "bf16", .text = "g (float[1,64,1] x) => (float[1,64,2] y) { y = DFT(x) }"}};
static constexpr Example good[] = {{.text = "g (float[1,64,1] x) => (float[1,64,2] y) { y = DFT(x) }"}};

AEGIS_RULE(spectral_op) = {
    .code = "PR345",
    .severity = AEGIS_WARNING,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_PINS,
    .ops = ops<"STFT", "DFT", "Det", "MelWeightMatrix">,
    .facts = facts<aegis_type_group>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A Fourier transform, a determinant or a mel matrix runs in a narrow type.\n\n"
        "## Why\n"
        "Their results are small differences of many large terms; the digits that decide are the ones that a "
        "narrow type drops.\n\n"
        "## Fix\n"
        "Keep the node in FLOAT.",
    .bad = list(bad),
    .good = list(good)};
