#include <aegis/rule.hpp>

using namespace aegis::sdk;

static bool ranks(std::string_view op) {
  return op == "TopK" || op == "ArgMax" || op == "ArgMin" || op == "Multinomial";
}
static bool normalises(std::string_view op) { return op == "Softmax" || op == "LogSoftmax"; }

static bool only_moves(const aegis_node_info& info) {
  return (info.flags & (AEGIS_NODE_MOVEMENT | AEGIS_NODE_VIEW)) != 0 || view(info.op) == "Cast";
}

// Where a value ends, through movement and Casts: "output", the ranking operator, or nothing. `steps` bounds the
// search.
static std::string_view sink(Context& cx, aegis_value value, int& steps) {
  const auto* info = cx.value(value);
  if (!info || --steps < 0) return {};
  if (info->flags & AEGIS_VALUE_OUTPUT) return "output";
  for (std::uint32_t i = 0; i < info->uses_count; ++i) {
    const auto* reader = some(info->uses[i].node) ? cx.node(info->uses[i].node) : nullptr;
    if (!reader) continue;
    if (ranks(view(reader->op))) return view(reader->op);
    if (!only_moves(*reader)) continue;
    for (const aegis_value output : items(reader->outputs)) {
      const std::string_view found = some(output) ? sink(cx, output, steps) : std::string_view();
      if (!found.empty()) return found;
    }
  }
  return {};
}

// The node that computed a value, back through movement and Casts.
static const aegis_node_info* source(Context& cx, aegis_value value, int depth) {
  const auto* info = cx.value(value);
  const auto* producer = info && some(info->producer) ? cx.node(info->producer) : nullptr;
  if (!producer || depth == 0 || !only_moves(*producer) || producer->inputs.count == 0) return producer;
  return source(cx, producer->inputs.data[0], depth - 1);
}

// Is there a product before? Without one there are no logits: probabilities of an input are as good as the input.
static bool after_product(Context& cx, aegis_value value, int& steps) {
  const auto* info = some(value) ? cx.value(value) : nullptr;
  const auto* producer = info && some(info->producer) ? cx.node(info->producer) : nullptr;
  if (!producer || --steps < 0) return steps < 0;
  if (cx.fact<aegis_gemm>(info->producer) || cx.fact<aegis_conv>(info->producer)) return true;
  if (producer->bodies.count > 0 || (producer->flags & AEGIS_NODE_CALL)) return true;
  for (const aegis_value input : items(producer->inputs)) {
    if (after_product(cx, input, steps)) return true;
  }
  return false;
}

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  const aegis_value input = cx.input(node, 0);
  const FloatFormat* format = cx.narrow(input);
  if (!info || !format) return;
  const std::string_view op = view(info->op);
  std::string_view end = op;
  if (normalises(op)) {
    int steps = 256;
    end = sink(cx, cx.output(node, 0), steps);
    steps = 256;
    if (!after_product(cx, input, steps)) return;
  } else {
    const auto* role = cx.fact<aegis_role>(input);
    const auto* from = source(cx, input, 8);
    if (!role || role->role != AEGIS_ROLE_LOGITS || !from || normalises(view(from->op))) return;
  }
  if (end.empty()) return;
  cx.finding(node)
      .certainty(AEGIS_CERTAIN)
      .message("{} decides in {} what leaves the model", op, format->name)
      .evidence("sink", end)
      .request(KeepWide{.what = AEGIS_KEEP_PRODUCERS, .node = node}, Safety::exact);
}

static constexpr Example bad[] = {
    {.as = "bf16",
     .weights = "w",
     .text = "g (float[8,64] x, float[64,1000] w) => (float[8,1000] y) { l = MatMul(x, w)  y = Softmax(l) }"},
    {.as = "bf16",
     .weights = "w",
     .text = "g (float[8,64] x, float[64,1000] w) => (int64[8,1] y) { l = MatMul(x, w)  y = ArgMax<axis = 1>(l) }"}};
static constexpr Example good[] = {
    {.as = "bf16",
     .weights = "w",
     .text = "g (float[8,64] x, float[64,64] w, float[64,64] v) => (float[8,64] y) "
             "{ s = MatMul(x, w)  p = Softmax(s)  y = MatMul(p, v) }"},
    {.as = "bf16", .text = "g (float[8,64] x, float[8,64] m) => (float[8,64] y) { s = Add(x, m)  y = Softmax(s) }"},
    {.weights = "w",
     .text = "g (float[8,64] x, float[64,1000] w) => (float[8,1000] y) { l = MatMul(x, w)  y = Softmax(l) }"}};

AEGIS_RULE(narrow_logits) = {
    .code = "PR318",
    .severity = AEGIS_WARNING,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_PINS,
    .ops = ops<"Softmax", "LogSoftmax", "TopK", "ArgMax", "ArgMin", "Multinomial">,
    .facts = facts<aegis_type_group, aegis_role, aegis_gemm, aegis_conv>,
    .silences = codes<"PR319">,
    .check = entry<check>,
    .doc =
        "## What\n"
        "The Softmax or the ranking after the last matrix product runs in a narrow type.\n\n"
        "## Why\n"
        "Close scores round to equal ones, and the winner changes. A Softmax inside attention does not rank and is "
        "left alone.\n\n"
        "## Fix\n"
        "Keep it in FLOAT, with one Cast after the last product.",
    .bad = list(bad),
    .good = list(good)};
