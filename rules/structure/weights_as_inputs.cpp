#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx) {
  const auto* model = cx.model();
  const auto* scope = model ? cx.scope(model->main) : nullptr;
  std::uint64_t count = 0, weights = 0;
  aegis_value first{AEGIS_NONE};
  for (const aegis_value value : items(scope ? scope->initializers : aegis_values{})) {
    const auto* info = cx.value(value);
    ++weights;
    if (!info || !(info->flags & AEGIS_VALUE_OVERRIDABLE)) continue;
    if (count++ == 0) first = value;
  }
  if (count == 0) return;
  cx.finding()
      .certainty(AEGIS_CERTAIN)
      .message("{} of {} initializers are graph inputs too: a caller may replace them, so they are no constants", count,
               weights)
      .evidence("overridable", AEGIS_PLAIN, count)
      .relate(first, "first")
      .advise("take them out of the inputs, if nobody replaces them: then they can be folded, padded and recast");
}

static constexpr Example bad[] = {
    {.text = "g (float[4] x, float[4] w) => (float[4] y) <float[4] w = {1, 2, 3, 4}> { y = Add(x, w) }"}};
static constexpr Example good[] = {
    {.text = "g (float[4] x) => (float[4] y) <float[4] w = {1, 2, 3, 4}> { y = Add(x, w) }"},
    {.text = "<ir_version: 3, opset_import: [\"\" : 8]> g (float[4] x, float[4] w) => (float[4] y) "
             "<float[4] w = {1, 2, 3, 4}> { y = Add(x, w) }"}};

AEGIS_RULE(weights_as_inputs) = {
    .code = "ST505",
    .unit = AEGIS_UNIT_MODEL,
    .severity = AEGIS_INFO,
    .flags = AEGIS_RULE_TARGET_FREE,
    .check = entry<check>,
    .doc =
        "## What\n"
        "Initializers stand among the graph's inputs. Since IR version 4 that makes them defaults, not constants.\n\n"
        "## Why\n"
        "A caller may pass other numbers, so no tool may fold, pad or recast them.\n\n"
        "## Fix\n"
        "Take them out of the inputs. Before IR version 4 they have to stand there, and nothing is reported.",
    .bad = list(bad),
    .good = list(good)};
