#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx) {
  const auto* main = cx.scope(cx.model()->main);
  if (!main) return;
  std::uint32_t count = 0;
  const auto narrow = [&](aegis_value value) { return cx.dtype(value) == AEGIS_DTYPE_BFLOAT16; };
  for (const auto& values : {main->inputs, main->outputs}) {
    for (const aegis_value value : items(values)) count += narrow(value) ? 1 : 0;
  }
  if (count == 0) return;
  auto found = cx.finding().message("{} inputs and outputs are bf16", count);
  for (const auto& values : {main->inputs, main->outputs}) {
    for (const aegis_value value : items(values)) {
      if (narrow(value)) found.evidence("names", view(cx.value(value)->name));
    }
  }
  found.request(SetType{.what = AEGIS_SET_BORDER, .dtype = AEGIS_DTYPE_FLOAT}, Safety::exact);
}

static constexpr Example bad[] = {{.text = "g (float[8] x) => (bfloat16[8] y) { y = Cast<to = 16>(x) }"}};
static constexpr Example good[] = {
    {.text = "g (float[8] x) => (float[8] y) { n = Cast<to = 16>(x)  y = Cast<to = 1>(n) }"}};

AEGIS_RULE(narrow_io) = {.code = "PR343",
                         .unit = AEGIS_UNIT_MODEL,
                         .severity = AEGIS_WARNING,
                         .safety = AEGIS_EXACT,
                         .flags = AEGIS_RULE_TARGET_FREE,
                         .check = entry<check>,
                         .doc =
                             "## What\n"
                             "The model takes or gives BF16 at its border.\n\n"
                             "## Why\n"
                             "numpy has no BF16: Python callers of ONNX Runtime need special values for it.\n\n"
                             "## Fix\n"
                             "FLOAT at the border, with the Cast inside the model.",
                         .bad = list(bad),
                         .good = list(good)};
