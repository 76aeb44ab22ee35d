#include <aegis/rule.hpp>
#include <aegis/rule/node_set.hpp>

using namespace aegis::sdk;

static bool only_moves(const aegis_node_info& info) {
  return (info.flags & (AEGIS_NODE_MOVEMENT | AEGIS_NODE_VIEW)) != 0;
}

// The FLOAT graph input of one number for each sample that an angle is made from, and the first node that computes with
// it; nothing when the way holds more than arithmetic. `way` gets the nodes from the input on.
struct Source {
  aegis_value input{AEGIS_NONE};
  aegis_node first{AEGIS_NONE};
};

static Source source(Context& cx, aegis_value value, int& steps, NodeSet& way) {
  const auto* info = some(value) ? cx.value(value) : nullptr;
  if (!info || --steps < 0 || (info->flags & AEGIS_VALUE_CONSTANT)) return {};
  if (info->flags & AEGIS_VALUE_INPUT) {
    return info->type.rank >= 0 && info->type.rank <= 1 ? Source{value, {AEGIS_NONE}} : Source{};
  }
  const auto* producer = some(info->producer) ? cx.node(info->producer) : nullptr;
  if (!producer) return {};
  const std::string_view op = view(producer->op);
  const bool computes = op == "Mul" || op == "Div" || op == "Add" || op == "Sub" || op == "Exp";
  if (!computes && !only_moves(*producer) && op != "Cast") return {};
  for (const aegis_value input : items(producer->inputs)) {
    Source found = source(cx, input, steps, way);
    if (!some(found.input)) continue;
    if (!some(found.first) && computes) found.first = info->producer;
    way.add(info->producer);
    return found;
  }
  return {};
}

static void report(Context& cx, aegis_node trig) {
  const FloatFormat* format = cx.narrow(cx.input(trig, 0));
  if (!format) return;
  int steps = 256;
  NodeSet way;
  const Source from = source(cx, cx.input(trig, 0), steps, way);
  if (!some(from.input) || !some(from.first) || cx.dtype(from.input) != AEGIS_DTYPE_FLOAT) return;
  way.add(trig);
  cx.finding(from.first)
      .certainty(AEGIS_CERTAIN)
      .message("a timestep is rounded to {} before its sine: 937 becomes {}", format->name,
               format == &bfloat ? 936 : 937)
      .evidence("input", view(cx.value(from.input)->name))
      .relate(trig, "trigonometric node")
      .request(KeepWide{.what = AEGIS_KEEP_REGION, .node = from.first, .region = way.list()}, Safety::exact);
}

static void check(Context& cx, Group group) {
  for (const aegis_node trig : group.members) report(cx, trig);
}

static constexpr Example bad[] = {
    {.as = "bf16",
     .text = "g (float[2] t) => (float[2,1] y) <int64[1] ax = {1}, float freq = {0.1}> { u = Unsqueeze(t, ax)  "
             "a = Mul(u, freq)  y = Sin(a) }"}};
static constexpr Example good[] = {
    {.as = "bf16",
     .weights = "w",
     .text = "g (float[4,16] x, float[16,16] w) => (float[4,16] y) { m = MatMul(x, w)  t = Tanh(m)  y = Sin(t) }"}};

AEGIS_RULE(narrow_timestep) = {.code = "PR323",
                               .unit = AEGIS_UNIT_GROUP,
                               .severity = AEGIS_ERROR,
                               .safety = AEGIS_EXACT,
                               .flags = AEGIS_RULE_PINS,
                               .ops = ops<"Sin", "Cos">,
                               .facts = facts<aegis_type_group>,
                               .silences = codes<"PR320", "PR322">,
                               .check = entry<check>,
                               .doc =
                                   "## What\n"
                                   "The timestep of a diffusion model is narrowed before its sinusoidal embedding.\n\n"
                                   "## Why\n"
                                   "BF16 has every integer up to 256 only: neighbouring timesteps become equal.\n\n"
                                   "## Fix\n"
                                   "Keep FLOAT through the sine and cosine.",
                               .bad = list(bad),
                               .good = list(good)};
