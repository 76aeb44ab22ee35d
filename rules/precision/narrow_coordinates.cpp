#include <aegis/rule.hpp>

#include <algorithm>
#include <limits>

using namespace aegis::sdk;

// The input that holds coordinates, and whether it has a type of its own.
struct Coordinates {
  std::size_t slot = 0;
  bool free = false;
};

static Coordinates coordinates_of(std::string_view op) {
  if (op == "GridSample") return {1, true};
  if (op == "DeformConv") return {2, false};
  if (op == "AffineGrid") return {0, false};
  return {1, false};  // RoiAlign
}

// The longest spatial extent of what is sampled; -1 when none is known.
static std::int64_t size_of(Context& cx, aegis_value image) {
  const auto* info = some(image) ? cx.value(image) : nullptr;
  std::int64_t size = -1;
  for (std::int32_t axis = 2; info && axis < info->type.rank; ++axis)
    size = std::max(size, info->type.dims[axis].value);
  return size;
}

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  if (!info) return;
  const Coordinates where = coordinates_of(view(info->op));
  const aegis_value grid = cx.input(node, where.slot);
  const FloatFormat* format = cx.narrow(grid);
  if (!format) return;
  const aegis_value image = view(info->op) == "AffineGrid" ? cx.output(node, 0) : cx.input(node, 0);
  const std::int64_t size = size_of(cx, image);
  const double step = static_cast<double>(size) * format->unit_roundoff / 2;
  if (size >= 0 && !(step > cx.option("max_step_px"))) return;
  auto found = cx.finding(node)
                   .severity(size < 0 ? AEGIS_INFO : AEGIS_WARNING)
                   .certainty(size < 0 ? AEGIS_POSSIBLE : AEGIS_CERTAIN)
                   .message("coordinates of {} in {} move by {} pixels", info->op, format->name,
                            size < 0 ? std::numeric_limits<double>::quiet_NaN() : step);
  found.evidence("size", AEGIS_PIXELS, size).evidence("step", AEGIS_PIXELS, step);
  if (where.free) {
    found.request(KeepWide{.what = AEGIS_KEEP_VALUE, .node = node, .value = grid}, Safety::exact);
  } else {
    found.request(KeepWide{.what = AEGIS_KEEP_NODE, .node = node}, Safety::exact);
  }
}

static constexpr Option options[] = {{.key = "max_step_px",
                                      .value = 0.1,
                                      .max = 100,
                                      .help = "the rounding step of a coordinate that is let pass, in pixels"}};
static constexpr Example bad[] = {
    {.as = "bf16",
     .text = "<ir_version: 10, opset_import: [\"\" : 22]> g (float[1,3,192,192] x, float[1,96,96,2] grid) => "
             "(float[1,3,96,96] y) { y = GridSample(x, grid) }"}};
static constexpr Example good[] = {
    {.as = "bf16",
     .text = "<ir_version: 10, opset_import: [\"\" : 22]> g (float[1,3,32,32] x, float[1,96,96,2] grid) => "
             "(float[1,3,96,96] y) { y = GridSample(x, grid) }"}};

AEGIS_RULE(narrow_coordinates) = {
    .code = "PR324",
    .severity = AEGIS_WARNING,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_PINS,
    .ops = ops<"GridSample", "RoiAlign", "DeformConv", "AffineGrid">,
    .facts = facts<aegis_type_group>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "Sampling coordinates are held in a narrow type.\n\n"
        "## Why\n"
        "A coordinate over an image of 192 pixels moves by up to 0.4 pixels when it is rounded to BF16.\n\n"
        "## Fix\n"
        "Keep the grid in FLOAT, which has a type of its own in GridSample; keep RoiAlign and DeformConv whole.",
    .bad = list(bad),
    .good = list(good)};
