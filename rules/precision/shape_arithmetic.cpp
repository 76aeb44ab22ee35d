#include <aegis/rule.hpp>

#include <algorithm>

using namespace aegis::sdk;

static bool is_narrow(Context& cx, aegis_node node) {
  for (const aegis_value output : items(cx.node(node)->outputs)) {
    if (cx.narrow(output)) return true;
  }
  return false;
}

// The first node that computes, in file order; the Casts that lead into the path only convert.
static aegis_node first_arithmetic(Context& cx, const aegis_pattern& path) {
  for (const aegis_node node : items(path.nodes)) {
    if (!cx.is(node, "Cast")) return node;
  }
  return path.anchor;
}

static void report(Context& cx, const aegis_pattern& path) {
  const auto nodes = items(path.nodes);
  if (std::ranges::none_of(nodes, [&](aegis_node node) { return is_narrow(cx, node); })) return;
  const aegis_node first = first_arithmetic(cx, path);
  cx.finding(first)
      .certainty(AEGIS_CERTAIN)
      .message("{} nodes compute a shape or an index in a narrow type", path.nodes.count)
      .evidence("path_len", AEGIS_NODES, path.nodes.count)
      .relate_all(path.nodes, "path", first)
      .request(KeepWide{.what = AEGIS_KEEP_REGION, .node = first, .region = path.nodes}, Safety::exact);
}

static void check(Context& cx, Group group) {
  for (const aegis_node member : group.members) {
    if (const auto* path = cx.fact<aegis_pattern>(member)) report(cx, *path);
  }
}

static constexpr Example bad[] = {
    {.as = "bf16",
     .text = "g (float[1,3,h,w] x, float[2] ratio) => (int64[2] y) <int64[1] two = {2}, int64[1] four = {4}, int64[1] "
             "zero = {0}> { s = Shape(x)  hw = Slice(s, two, four, zero)  f = Cast<to = 1>(hw)  m = Mul(f, ratio)  "
             "r = Floor(m)  y = Cast<to = 7>(r) }"}};
static constexpr Example good[] = {
    {.text = "g (float[1,3,h,w] x, float[2] ratio) => (int64[2] y) <int64[1] two = {2}, int64[1] four = {4}, int64[1] "
             "zero = {0}> { s = Shape(x)  hw = Slice(s, two, four, zero)  f = Cast<to = 1>(hw)  m = Mul(f, ratio)  "
             "r = Floor(m)  y = Cast<to = 7>(r) }"}};

AEGIS_RULE(shape_arithmetic) = {
    .code = "PR321",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_ERROR,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_PINS,
    .ops = ops<"@float_path">,
    .facts = facts<aegis_pattern, aegis_type_group>,
    .silences = codes<"PR320">,
    .check = entry<check>,
    .doc =
        "## What\n"
        "Float arithmetic that ends in an integer - a size, an index, the scales of a Resize - runs in a narrow "
        "type.\n\n"
        "## Why\n"
        "BF16 counts exactly up to 256, FP16 up to 2048. One rounding changes a size by one or more, and with it "
        "the shape of everything after.\n\n"
        "## Fix\n"
        "Keep the whole path in FLOAT; it costs next to nothing.",
    .bad = list(bad),
    .good = list(good)};
