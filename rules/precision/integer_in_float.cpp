#include <aegis/rule.hpp>

using namespace aegis::sdk;

static bool is_integer(aegis_dtype dtype) {
  return (dtype >= AEGIS_DTYPE_UINT8 && dtype <= AEGIS_DTYPE_INT64) || dtype == AEGIS_DTYPE_UINT32 ||
         dtype == AEGIS_DTYPE_UINT64;
}

static bool makes_integers(Context& cx, const aegis_node_info& info, aegis_value output) {
  const std::string_view op = view(info.op);
  if (op == "Cast") return info.inputs.count == 1 && is_integer(cx.dtype(info.inputs.data[0]));
  const auto* range = cx.fact<aegis_range>(output);
  return op == "Range" || (range && (range->flags & AEGIS_RANGE_INTEGER));
}

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  const aegis_value output = cx.output(node, 0);
  const FloatFormat* format = cx.narrow(output);
  if (!info || !format || !makes_integers(cx, *info, output)) return;
  const Bound bound = cx.bound(output);
  if (bound.absmax <= format->exact_integers) return;
  auto opened = cx.finding(node)
                    .severity(bound.known ? AEGIS_ERROR : AEGIS_INFO)
                    .certainty(bound.known ? AEGIS_CERTAIN : AEGIS_POSSIBLE);
  auto found = bound.known ? opened.message("integers up to {} in {}, which is exact up to {}", bound.absmax,
                                            format->name, format->exact_integers)
                           : opened.message("integers without a bound in {}, which is exact up to {}", format->name,
                                            format->exact_integers);
  if (bound.known) found.evidence("max_value", AEGIS_PLAIN, bound.absmax);
  found.request(KeepWide{.what = AEGIS_KEEP_TO_LOSSY_USE, .node = node}, Safety::exact);
}

static constexpr Example bad[] = {
    {.as = "bf16", .text = "g (int64[4,512] ids) => (float[4,512] y) { y = Cast<to = 1>(ids) }"}};
static constexpr Example good[] = {
    {.as = "bf16", .text = "g (bool[4,512] mask) => (float[4,512] y) { y = Cast<to = 1>(mask) }"},
    {.text = "g (int64[4,512] ids) => (float[4,512] y) { y = Cast<to = 1>(ids) }"}};

AEGIS_RULE(integer_in_float) = {
    .code = "PR320",
    .severity = AEGIS_ERROR,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_PINS,
    .ops = ops<"Cast", "Range", "CumSum">,
    .facts = facts<aegis_type_group, aegis_range, aegis_observed>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "Integers - positions, ids, counts - become floats of a narrow type that cannot hold them all.\n\n"
        "## Why\n"
        "BF16 is exact up to 256, FP16 up to 2048; above, neighbours become equal.\n\n"
        "## Fix\n"
        "Keep FLOAT from here to the first use that rounds anyway.",
    .bad = list(bad),
    .good = list(good)};
