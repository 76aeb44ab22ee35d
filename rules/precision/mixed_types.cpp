#include <aegis/rule.hpp>

using namespace aegis::sdk;

// The narrowest float among the slots that disagree: what a repair converts to.
static aegis_dtype narrowest(const aegis_slots& slots) {
  aegis_dtype out = AEGIS_DTYPE_FLOAT;
  for (const auto& slot : Items<aegis_slot>(slots.list)) {
    if (slot.variable >= 0 && narrow_format(slot.dtype)) out = slot.dtype;
  }
  return out;
}

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  const auto* slots = cx.fact<aegis_slots>(node);
  if (!info || !slots || !slots->mixed) return;
  auto found = cx.finding(node).message("{} has inputs of different float types where its schema wants one", info->op);
  const aegis_dtype to = narrowest(*slots);
  for (const auto& slot : Items<aegis_slot>(slots->list)) {
    if (slot.variable < 0 || !some(slot.value) || slot.dtype == AEGIS_DTYPE_UNDEFINED) continue;
    found.evidence("types", view(cx.value(slot.value)->name), dtype_name(slot.dtype));
    const bool wrong = !(slot.flags & AEGIS_SLOT_OUTPUT) && slot.dtype == AEGIS_DTYPE_FLOAT;
    if (wrong) found.request(SetType{.what = AEGIS_SET_VALUE, .value = slot.value, .dtype = to}, Safety::lossy);
  }
}

static constexpr Example bad[] = {
    {.text = "g (float16[8,64] x, float[64] s) => (float16[8,64] y) { y = LayerNormalization(x, s) }"}};
static constexpr Example good[] = {
    {.text = "<ir_version: 10, opset_import: [\"\" : 21]> g (bfloat16[8,64] x, float e) => (bfloat16[8,64] y) "
             "{ y = Pow(x, e) }"}};

AEGIS_RULE(mixed_types) = {.code = "PR338",
                           .severity = AEGIS_ERROR,
                           .safety = AEGIS_LOSSY,
                           .flags = AEGIS_RULE_STABLE,
                           .facts = facts<aegis_slots>,
                           .silences = codes<"PR336", "ST515">,
                           .check = entry<check>,
                           .doc =
                               "## What\n"
                               "One type variable of an operator is bound to two float types.\n\n"
                               "## Why\n"
                               "The file is invalid although the plain checker accepts it, and runtimes refuse it.\n\n"
                               "## Fix\n"
                               "Give all of them one type: a Cast, or the constant made again.",
                           .bad = list(bad),
                           .good = list(good)};
