#include <aegis/rule.hpp>

#include <algorithm>
#include <cmath>

using namespace aegis::sdk;

// Bounds of these are meant to be out of reach; clip_bounds looks at them.
static bool takes_bounds(std::string_view op) { return op == "Clip" || op == "Min" || op == "Max"; }

struct Overflow {
  double count = 0, largest = 0;
};

static Overflow in_elements(const aegis_tensor& constant, const FloatFormat& format) {
  Overflow out;
  for (std::size_t i = 0; i < count(constant); ++i) {
    const double size = std::fabs(element(constant, i));
    if (!std::isfinite(size) || !(size >= format.infinite_from)) continue;
    ++out.count;
    out.largest = std::max(out.largest, size);
  }
  return out;
}

static Overflow overflow(Context& cx, aegis_value value, const FloatFormat& format) {
  if (const auto* constant = cx.constant(value)) return in_elements(*constant, format);
  const auto* stats = cx.fact<aegis_weight_stats>(value);
  if (!stats) return {};
  return {&format == &half ? stats->fp16.overflowed : stats->bf16.overflowed, stats->absmax};
}

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  if (!info || takes_bounds(view(info->op))) return;
  for (const aegis_value input : items(info->inputs)) {
    const auto* value = some(input) ? cx.value(input) : nullptr;
    if (!value || !(value->flags & AEGIS_VALUE_CONSTANT)) continue;
    const FloatFormat* format = cx.narrow(input);
    if (!format || narrow_format(value->type.dtype) == format) continue;
    const Overflow found = overflow(cx, input, *format);
    if (!(found.count > 0)) continue;
    cx.finding(node)
        .certainty(AEGIS_CERTAIN)
        .message("{} elements of a constant become inf in {}: the largest is {}", found.count, format->name,
                 found.largest)
        .evidence("max_abs", AEGIS_PLAIN, found.largest)
        .evidence("count", AEGIS_ELEMENTS, found.count)
        .relate(input, "constant")
        .request(KeepWide{.what = AEGIS_KEEP_NODE, .node = node}, Safety::exact);
  }
}

static constexpr Example bad[] = {
    {.as = "fp16", .text = "g (float[8] x) => (float[8] y) <float big = {1e12}> { y = Mul(x, big) }"}};
static constexpr Example good[] = {
    {.as = "bf16", .text = "g (float[8] x) => (float[8] y) <float big = {1e12}> { y = Mul(x, big) }"},
    {.as = "fp16", .text = "g (float[8] x) => (float[8] y) <float big = {1e12}> { y = Min(x, big) }"}};

AEGIS_RULE(overflowing_constant) = {
    .code = "PR301",
    .severity = AEGIS_ERROR,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_WEIGHTS | AEGIS_RULE_PINS,
    .facts = facts<aegis_type_group, aegis_weight_stats>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A constant holds finite values that round to infinity in the narrow type.\n\n"
        "## Why\n"
        "FP16 ends at 65504. An infinity in a weight or factor spreads: inf times 0 is NaN.\n\n"
        "## Fix\n"
        "Keep the node that reads the constant in FLOAT, or use BF16.",
    .bad = list(bad),
    .good = list(good)};
