#include <aegis/rule.hpp>

#include <algorithm>

using namespace aegis::sdk;

// The first narrow float among the inputs that the operator compares; null when there is none.
static const FloatFormat* compared(Context& cx, const aegis_node_info& info) {
  const std::string_view op = view(info.op);
  const std::size_t last = op == "NonMaxSuppression" || op == "Equal" || op == "Mod" ? 2 : 1;
  const auto inputs = items(info.inputs);
  for (std::size_t i = 0; i < std::min(last, inputs.size()); ++i) {
    if (const FloatFormat* format = cx.narrow(inputs[i])) return format;
  }
  return nullptr;
}

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  const FloatFormat* format = info ? compared(cx, *info) : nullptr;
  if (!format) return;
  cx.finding(node)
      .certainty(AEGIS_CERTAIN)
      .message("{} compares {} values", info->op, format->name)
      .evidence("tie_risk", AEGIS_FRACTION, format->unit_roundoff)
      .request(KeepWide{.what = AEGIS_KEEP_PRODUCERS, .node = node}, Safety::exact);
}

static constexpr Example bad[] = {
    {.as = "bf16",
     .text = "g (float[8,1000] s) => (float[8,5] v, int64[8,5] i) <int64[1] k = {5}> { v, i = TopK(s, k) }"}};
static constexpr Example good[] = {
    {.text = "g (float[8,1000] s) => (float[8,5] v, int64[8,5] i) <int64[1] k = {5}> { v, i = TopK(s, k) }"},
    {.as = "bf16", .text = "g (int64[8] a, int64[8] b) => (bool[8] y) { y = Equal(a, b) }"}};

AEGIS_RULE(rank_on_narrow) = {
    .code = "PR319",
    .severity = AEGIS_WARNING,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_PINS,
    .ops = ops<"TopK", "ArgMax", "ArgMin", "NonMaxSuppression", "Hardmax", "NonZero", "Equal", "Unique", "Floor",
               "Round", "Mod">,
    .facts = facts<aegis_type_group>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "An operator whose result jumps compares narrow values: it ranks, selects, tests equality or rounds.\n\n"
        "## Why\n"
        "Values that differ by less than one part in 256 (BF16) or 2048 (FP16) become equal, and the result is "
        "another index, box or integer.\n\n"
        "## Fix\n"
        "Keep the operator in FLOAT, with what makes its inputs after the last product.",
    .bad = list(bad),
    .good = list(good)};
