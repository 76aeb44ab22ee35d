#include <aegis/rule.hpp>

#include <cmath>

using namespace aegis::sdk;

static void report(Context& cx, aegis_node node, const FloatFormat& format, std::string_view why, double number) {
  const auto* info = cx.node(node);
  cx.finding(node)
      .certainty(AEGIS_CERTAIN)
      .message("{} in {}: {} {}", info->op, format.name, why, number)
      .evidence("input_range", AEGIS_PLAIN, number)
      .request(KeepWide{.what = AEGIS_KEEP_NODE, .node = node}, Safety::exact);
}

static void check(Context& cx, Node node) {
  const FloatFormat* format = cx.narrow(cx.input(node, 0));
  const auto* info = cx.node(node);
  if (!format || !info) return;
  const std::string_view op = view(info->op);
  if (op == "Pow") {
    const double exponent = scalar(cx.constant(cx.input(node, 1)));
    const bool root = exponent == 0.5 || exponent == -0.5;
    if (std::isfinite(exponent) && !root && (exponent != std::floor(exponent) || std::fabs(exponent) > 4)) {
      report(cx, node, *format, "the exponent is", exponent);
    }
    return;
  }
  if (op == "Div" && format == &half) {
    const double divisor = std::fabs(scalar(cx.constant(cx.input(node, 1))));
    if (divisor > 0 && divisor < 0x1p-16) report(cx, node, *format, "the divisor is", divisor);
    return;
  }
  const Bound bound = cx.bound(cx.input(node, 0));
  if (!bound.known) return;
  const bool tan = op == "Tan" && bound.absmax > 1.5, arc = (op == "Acos" || op == "Asin") && bound.absmax > 0.99;
  if (tan || arc) report(cx, node, *format, "the input reaches", bound.absmax);
}

static constexpr Example bad[] = {
    {.as = "bf16", .text = "g (float[8] x) => (float[8] y) <float e = {7.3}> { y = Pow(x, e) }"}};
static constexpr Example good[] = {
    {.as = "bf16", .text = "g (float[8] x) => (float[8] y) <float e = {2}> { y = Pow(x, e) }"},
    {.as = "bf16", .text = "g (float[8] x) => (float[8] y) { y = Tan(x) }"}};

AEGIS_RULE(touchy_domain) = {
    .code = "PR344",
    .severity = AEGIS_WARNING,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_PINS,
    .ops = ops<"Pow", "Div", "Tan", "Acos", "Asin">,
    .facts = facts<aegis_type_group, aegis_range, aegis_observed>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A function is evaluated where it magnifies the rounding of its input.\n\n"
        "## Why\n"
        "A high or fractional power, a division by almost nothing, a tangent near its pole: the relative error of "
        "the input grows many times.\n\n"
        "## Fix\n"
        "Keep the node in FLOAT.",
    .bad = list(bad),
    .good = list(good)};
