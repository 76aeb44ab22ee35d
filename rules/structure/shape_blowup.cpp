#include <aegis/rule.hpp>

#include <cmath>

using namespace aegis::sdk;

// Operators that make a large value of a small one.
static bool generates(std::string_view op) {
  static constexpr std::string_view all[] = {"ConstantOfShape", "Expand", "EyeLike", "OneHot", "Range", "Tile"};
  for (const std::string_view name : all)
    if (op == name) return true;
  return false;
}

// Is every extent a number of the file, none of the caller or of Aegis?
static bool from_file(const aegis_type& type) {
  for (std::int32_t i = 0; i < type.rank; ++i)
    if (type.dims[i].kind != AEGIS_DIM_VALUE || type.dims[i].origin != AEGIS_DIM_STATIC) return false;
  return type.rank >= 0;
}

// At least: of a product of extents that no integer holds, the elements.
static double size(const aegis_value_info& value) {
  if (!std::isnan(value.bytes)) return value.bytes;
  double elements = 1;
  for (std::int32_t i = 0; i < value.type.rank; ++i) elements *= static_cast<double>(value.type.dims[i].value);
  return elements;
}

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  for (const aegis_value output : items(info ? info->outputs : aegis_values{})) {
    const auto* value = some(output) ? cx.value(output) : nullptr;
    if (!value || !from_file(value->type) || !(size(*value) > cx.option("max_gib") * 1073741824.0)) continue;
    if (!generates(view(info->op))) {
      const auto* fold = cx.fact<aegis_foldable>(output);
      if (!fold || fold->foldable != AEGIS_YES) continue;
    }
    cx.finding(node)
        .certainty(AEGIS_CERTAIN)
        .message("`{}` takes {} GiB, made of next to nothing", value->name, size(*value) / 1073741824.0)
        .evidence("size", AEGIS_BYTES, size(*value))
        .advise(
            "a runtime that folds constants makes this value when it loads the model: make it smaller, or let "
            "broadcasting do the work");
  }
}

static constexpr Option options[] = {
    {.key = "max_gib", .value = 1, .max = 1e9, .help = "the size that a generated value may have, in GiB"}};
static constexpr Example bad[] = {
    {.text = "g (float[1] x) => (float[1000000000000] y) <int64[1] n = {1000000000000}> { y = Expand(x, n) }"},
    {.text = "g () => (float[1000000000000] y) <int64[1] n = {1000000000000}> { y = ConstantOfShape(n) }"}};
static constexpr Example good[] = {
    {.text = "g (float[1] x) => (float[1000] y) <int64[1] n = {1000}> { y = Expand(x, n) }"},
    {.text = "g (float[40000,1] x, float[1,40000] z) => (float[40000,40000] y) { y = Add(x, z) }"}};

AEGIS_RULE(shape_blowup) = {
    .code = "ST507",
    .severity = AEGIS_WARNING,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_TARGET_FREE,
    .facts = facts<aegis_foldable>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "A node makes a very large value of a shape or a few elements, or of constants alone.\n\n"
        "## Why\n"
        "Tools that fold constants allocate it when the model is loaded. A file of 200 bytes can ask for terabytes. "
        "Aegis judges it by its shape and never makes it.\n\n"
        "## Fix\n"
        "Leave the expansion to broadcasting, or correct the shape.",
    .bad = list(bad),
    .good = list(good)};
