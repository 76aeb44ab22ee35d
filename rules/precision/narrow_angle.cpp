#include <aegis/rule.hpp>
#include <aegis/rule/node_set.hpp>

using namespace aegis::sdk;

static bool only_moves(const aegis_node_info& info) {
  return (info.flags & (AEGIS_NODE_MOVEMENT | AEGIS_NODE_VIEW)) != 0;
}

static bool is_position(aegis_dtype dtype) { return dtype == AEGIS_DTYPE_INT64 || dtype == AEGIS_DTYPE_INT32; }

// Does the value come from counted positions: a Cast of integers, a Range, an input of that name?
static bool search_positions(Context& cx, aegis_value value, int& steps) {
  const auto* info = some(value) ? cx.value(value) : nullptr;
  if (!info || --steps < 0 || (info->flags & AEGIS_VALUE_CONSTANT)) return false;
  const auto* role = cx.fact<aegis_role>(value);
  if (role && role->role == AEGIS_ROLE_POSITION) return true;
  const auto* producer = some(info->producer) ? cx.node(info->producer) : nullptr;
  if (!producer || producer->inputs.count == 0) return false;
  const std::string_view op = view(producer->op);
  if (op == "Range") return true;
  if (op == "Cast" && is_position(cx.dtype(producer->inputs.data[0]))) return true;
  const bool passes = only_moves(*producer) || op == "Cast" || op == "Mul" || op == "Div" || op == "Add" ||
                      op == "Sub" || op == "MatMul" || op == "Einsum";
  if (!passes) return false;
  for (const aegis_value input : items(producer->inputs)) {
    if (search_positions(cx, input, steps)) return true;
  }
  return false;
}

static bool from_positions(Context& cx, aegis_value value) {
  int steps = 256;
  return search_positions(cx, value, steps);
}

// The node that makes the angle: back from the Sin or Cos through movement; the trigonometric node when there is none.
static aegis_node maker(Context& cx, aegis_node trig) {
  aegis_value value = cx.input(trig, 0);
  for (int i = 0; i < 8; ++i) {
    const auto* info = some(value) ? cx.value(value) : nullptr;
    const auto* producer = info && some(info->producer) ? cx.node(info->producer) : nullptr;
    if (!producer || producer->inputs.count == 0) return trig;
    if (!only_moves(*producer)) return info->producer;
    value = producer->inputs.data[0];
  }
  return trig;
}

// What lies between the positions and the trigonometric node is wide with it.
static void add_way(Context& cx, aegis_value value, NodeSet& way) {
  const auto* info = some(value) ? cx.value(value) : nullptr;
  if (!info || !some(info->producer) || (info->flags & AEGIS_VALUE_CONSTANT)) return;
  if (!from_positions(cx, value) || !way.add(info->producer)) return;
  const auto* producer = cx.node(info->producer);
  if (view(producer->op) == "Range") return;
  for (const aegis_value input : items(producer->inputs)) add_way(cx, input, way);
}

static void report(Context& cx, aegis_node trig) {
  const aegis_value angle = cx.input(trig, 0);
  const FloatFormat* format = cx.narrow(angle);
  if (!format) return;
  const double limit = cx.option("max_error_rad") / format->unit_roundoff;
  const Bound bound = cx.bound(angle);
  const bool positions = from_positions(cx, angle);
  if (bound.absmax <= limit || (!positions && !(bound.absmax > limit))) return;
  const aegis_node anchor = positions ? maker(cx, trig) : trig;
  auto found = cx.finding(anchor)
                   .severity(positions || bound.seen ? AEGIS_ERROR : AEGIS_INFO)
                   .certainty(positions    ? AEGIS_CERTAIN
                              : bound.seen ? AEGIS_SEEN
                                           : AEGIS_POSSIBLE)
                   .message("angles {} in {}, which keeps {} radians only up to {}",
                            positions ? "that grow with the position" : "of any size", format->name,
                            cx.option("max_error_rad"), limit);
  found.evidence("angle_max", AEGIS_RADIANS, bound.absmax)
      .evidence("error", AEGIS_RADIANS, bound.absmax * format->unit_roundoff)
      .relate(trig, "trigonometric node");
  NodeSet way;
  way.add(trig);
  if (positions) add_way(cx, angle, way);
  found.relate_all(way.list(), "angle", anchor);
  found.request(KeepWide{.what = AEGIS_KEEP_REGION, .node = anchor, .region = way.list()}, Safety::exact);
}

static void check(Context& cx, Group group) {
  for (const aegis_node trig : group.members) report(cx, trig);
}

static constexpr Option options[] = {{.key = "max_error_rad",
                                      .value = 0.01,
                                      .min = 0,
                                      .max = 3.2,
                                      .help = "the rounding of an angle that is let pass, in radians"}};
static constexpr Example bad[] = {
    {.as = "bf16",
     .text =
         "g (int64[1,512] pos) => (float[1,512,1] y) <int64[1] ax = {2}, float freq = {0.1}> { f = Cast<to = 1>(pos)  "
         "u = Unsqueeze(f, ax)  a = Mul(u, freq)  y = Sin(a) }"}};
static constexpr Example good[] = {
    {.as = "bf16",
     .weights = "w",
     .text = "g (float[4,16] x, float[16,16] w) => (float[4,16] y) { m = MatMul(x, w)  t = Tanh(m)  y = Sin(t) }"}};

AEGIS_RULE(narrow_angle) = {
    .code = "PR322",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_ERROR,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_PINS,
    .ops = ops<"Sin", "Cos">,
    .facts = facts<aegis_type_group, aegis_range, aegis_observed, aegis_role>,
    .silences = codes<"PR320">,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "An angle that grows with a position is held in a narrow type before its sine or cosine.\n\n"
        "## Why\n"
        "At position 1000 one rounding to BF16 moves the angle by up to 4 radians: the embedding is noise.\n\n"
        "## Fix\n"
        "Keep FLOAT through the sine and cosine and round their results, which is harmless.",
    .bad = list(bad),
    .good = list(good)};
