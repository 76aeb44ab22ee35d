#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Node node) {
  const FloatFormat* format = cx.narrow(cx.input(node, 0));
  const auto* scan = cx.fact<aegis_reduction>(node);
  if (!format || !scan || scan->kind != AEGIS_REDUCTION_SCAN) return;
  const auto limit = static_cast<std::int64_t>(format->exact_integers);
  const aegis_answer longer = cx.at_least(scan->n, limit + 1);
  if (longer == AEGIS_NO) return;
  const bool known = longer == AEGIS_YES;
  cx.finding(node)
      .severity(known ? AEGIS_ERROR : AEGIS_INFO)
      .certainty(known ? AEGIS_CERTAIN : AEGIS_POSSIBLE)
      .message("a running sum over {} elements in {}, where adding 1 stalls at {}", cx.text(scan->n), format->name,
               limit)
      .evidence("length", AEGIS_ELEMENTS, scan->n.value)
      .request(KeepWide{.what = AEGIS_KEEP_NODE, .node = node}, Safety::exact);
}

static constexpr Example bad[] = {
    {.as = "bf16", .text = "g (float[4,1024] x) => (float[4,1024] y) <int64 axis = {1}> { y = CumSum(x, axis) }"}};
static constexpr Example good[] = {
    {.as = "bf16", .text = "g (float[4,64] x) => (float[4,64] y) <int64 axis = {1}> { y = CumSum(x, axis) }"},
    {.as = "fp16", .text = "g (float[4,1024] x) => (float[4,1024] y) <int64 axis = {1}> { y = CumSum(x, axis) }"}};

AEGIS_RULE(running_sum) = {
    .code = "PR314",
    .severity = AEGIS_ERROR,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_PINS,
    .ops = ops<"CumSum", "CumProd">,
    .facts = facts<aegis_type_group, aegis_reduction>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A running sum or product over many elements keeps its running value in a narrow type.\n\n"
        "## Why\n"
        "Every step rounds, and a count of ones stops growing at 256 in BF16 and 2048 in FP16.\n\n"
        "## Fix\n"
        "Keep the node in FLOAT.",
    .bad = list(bad),
    .good = list(good)};
