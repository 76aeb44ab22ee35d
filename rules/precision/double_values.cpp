#include <aegis/rule.hpp>

using namespace aegis::sdk;

static bool is_double(Context& cx, aegis_value value) { return some(value) && cx.dtype(value) == AEGIS_DTYPE_DOUBLE; }

static bool computes_in_double(Context& cx, aegis_node node) {
  const auto* info = cx.node(node);
  if (!info || (info->flags & (AEGIS_NODE_CONSTANT | AEGIS_NODE_MOVEMENT | AEGIS_NODE_VIEW)) ||
      view(info->op) == "Cast") {
    return false;
  }
  return info->outputs.count > 0 && is_double(cx, info->outputs.data[0]);
}

// Shape arithmetic may be in DOUBLE: a few numbers on the host.
static bool is_shape(Context& cx, aegis_value value) {
  const auto* path = cx.fact<aegis_shape_path>(value);
  return path && path->host_side;
}

static void check(Context& cx, Group group) {
  for (const aegis_node node : group.members) {
    if (!computes_in_double(cx, node)) continue;
    const auto* info = cx.node(node);
    const aegis_value output = info->outputs.data[0];
    bool first = !is_shape(cx, output);
    for (const aegis_value input : items(info->inputs)) {
      const auto* value = is_double(cx, input) ? cx.value(input) : nullptr;
      if (value && some(value->producer) && computes_in_double(cx, value->producer)) first = false;
    }
    if (!first) continue;
    cx.finding(node)
        .message("{} computes in DOUBLE", info->op)
        .evidence("bytes", AEGIS_BYTES, cx.bytes(output))
        .request(SetType{.what = AEGIS_SET_VALUE, .value = output, .dtype = AEGIS_DTYPE_FLOAT, .fold_in_double = 1},
                 Safety::lossy);
  }
}

static constexpr Example bad[] = {
    {.text = "g (float[4,8] x) => (float[4,8] y) <double k = {0.5}> { d = Cast<to = 11>(x)  m = Mul(d, k)  "
             "y = Cast<to = 1>(m) }"}};
static constexpr Example good[] = {{.text = "g (float[4,8] x) => (float[4,8] y) <float k = {0.5}> { y = Mul(x, k) }"}};

AEGIS_RULE(double_values) = {
    .code = "PR334",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_WARNING,
    .safety = AEGIS_LOSSY,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_EFFICIENCY,
    .facts = facts<aegis_shape_path>,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A node computes in DOUBLE.\n\n"
        "## Why\n"
        "GPUs for inference do FP64 at a sixty-fourth of their FP32 rate, and the bytes are twice as many.\n\n"
        "## Fix\n"
        "FLOAT; tables are folded in DOUBLE first, so that they keep their digits.",
    .bad = list(bad),
    .good = list(good)};
