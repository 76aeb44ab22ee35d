#include <aegis/rule.hpp>

#include <cmath>

using namespace aegis::sdk;

// From a Cast, along single readers that only move or map, to the Cast back; none when the way does anything else.
static aegis_node way_back(Context& cx, aegis_node cast, aegis_dtype outer, std::uint64_t& steps) {
  aegis_value value = cx.output(cast, 0);
  for (steps = 0; steps < 64; ++steps) {
    const auto* info = some(value) ? cx.value(value) : nullptr;
    if (!info || info->uses_count != 1 || !some(info->uses[0].node)) return {AEGIS_NONE};
    const aegis_node reader = info->uses[0].node;
    const auto* node = cx.node(reader);
    const aegis_value output = cx.output(reader, 0);
    if (view(node->op) == "Cast") return cx.dtype(output) == outer && steps > 0 ? reader : aegis_node{AEGIS_NONE};
    const auto* group = some(output) ? cx.fact<aegis_type_group>(output) : nullptr;
    if (!group || (group->risk != AEGIS_RISK_MOVE && group->risk != AEGIS_RISK_MAP)) return {AEGIS_NONE};
    value = output;
  }
  return {AEGIS_NONE};
}

static bool is_float(aegis_dtype dtype) { return dtype == AEGIS_DTYPE_FLOAT || narrow_format(dtype); }

static void report(Context& cx, aegis_node cast) {
  const aegis_value source = cx.input(cast, 0), inside = cx.output(cast, 0);
  const aegis_dtype outer = cx.dtype(source), inner = cx.dtype(inside);
  if (!is_float(outer) || !is_float(inner) || (narrow_format(outer) != nullptr) == (narrow_format(inner) != nullptr))
    return;
  std::uint64_t steps = 0;
  const aegis_node back = way_back(cx, cast, outer, steps);
  if (!some(back)) return;
  const double bytes = 2 * (cx.bytes(source) + cx.bytes(inside));
  const auto* target = cx.target();
  auto found = cx.finding(cast).message("{} elementwise nodes run in {} between two Casts of {}", steps,
                                        dtype_name(inner), dtype_name(outer));
  found.evidence("cast_bytes", AEGIS_BYTES, bytes)
      .evidence("gain_us", AEGIS_MICROSECONDS, bytes / (target->mem_bw_gbs * target->bandwidth_fraction * 1e3))
      .relate(back, "Cast back");
  const auto* value = cx.value(inside);
  found.request(MoveCast{.direction = AEGIS_MOVE_DOWN, .cast = cast, .past = value->uses[0].node}, Safety::lossy);
}

static void check(Context& cx, Group group) {
  for (const aegis_node cast : group.members) report(cx, cast);
}

static constexpr Example bad[] = {
    {.text = "g (float16[8,64] x) => (float16[8,64] y) { u = Cast<to = 1>(x)  r = Relu(u)  y = Cast<to = 10>(r) }"}};
static constexpr Example good[] = {
    {.text = "g (float16[8,64] x) => (float16[8,64] y) { u = Cast<to = 1>(x)  r = Softmax(u)  y = Cast<to = 10>(r) }"}};

AEGIS_RULE(cast_ping_pong) = {.code = "PR330",
                              .unit = AEGIS_UNIT_GROUP,
                              .severity = AEGIS_WARNING,
                              .safety = AEGIS_LOSSY,
                              .flags = AEGIS_RULE_STABLE | AEGIS_RULE_EFFICIENCY,
                              .ops = ops<"Cast">,
                              .facts = facts<aegis_type_group>,
                              .silences = codes<"PR331">,
                              .check = entry<check>,
                              .doc =
                                  "## What\n"
                                  "Casts around nothing but movement or elementwise nodes.\n\n"
                                  "## Why\n"
                                  "The two Casts move more bytes than the nodes between them win by their type.\n\n"
                                  "## Fix\n"
                                  "Move the Cast past the nodes: exact over movement, lossy over arithmetic.",
                              .bad = list(bad),
                              .good = list(good)};
