#include <aegis/rule.hpp>

#include <algorithm>

using namespace aegis::sdk;

static bool is_integer(aegis_dtype dtype) {
  return (dtype >= AEGIS_DTYPE_UINT8 && dtype <= AEGIS_DTYPE_INT64 && dtype != AEGIS_DTYPE_FLOAT) ||
         dtype == AEGIS_DTYPE_BOOL || dtype == AEGIS_DTYPE_UINT32 || dtype == AEGIS_DTYPE_UINT64;
}

static bool is_float(aegis_dtype dtype) { return dtype == AEGIS_DTYPE_FLOAT || narrow_format(dtype); }

// The float arithmetic behind a size or an index: back from where it becomes one to the integers that it starts from.
// A way that meets a product, a large input or anything else that is no arithmetic on a few numbers is no such path.
class Path {
 public:
  explicit Path(Context& cx) : cx_(cx) {}

  bool walk(aegis_value value) {
    const auto* info = some(value) ? cx_.value(value) : nullptr;
    if (!info || !is_float(info->type.dtype) || (info->flags & AEGIS_VALUE_CONSTANT)) return true;
    if (!some(info->producer)) return info->bytes <= few_bytes;
    const aegis_node node = info->producer;
    if (std::find(nodes_, nodes_ + count_, node.id) != nodes_ + count_) return true;
    const auto* producer = cx_.node(node);
    if (!producer || count_ == most) return false;
    if (view(producer->op) == "Cast" && is_integer(cx_.dtype(producer->inputs.data[0]))) {
      from_integers_ = true;
      nodes_[count_++] = node.id;
      return true;
    }
    if (!computes(*producer)) return false;
    nodes_[count_++] = node.id;
    arithmetic_ = arithmetic_ || view(producer->op) != "Cast";
    for (const aegis_value input : items(producer->inputs)) {
      if (!walk(input)) return false;
    }
    return true;
  }

  bool complete() const { return from_integers_ && arithmetic_; }
  std::span<aegis_node> in_file_order() {
    std::sort(nodes_, nodes_ + count_);
    std::transform(nodes_, nodes_ + count_, handles_, [](std::uint32_t id) { return aegis_node{id}; });
    return {handles_, count_};
  }

 private:
  static constexpr std::size_t most = 64;
  static constexpr double few_bytes = 256;

  static bool computes(const aegis_node_info& info) {
    const std::string_view op = view(info.op);
    const bool cheap = (info.flags & (AEGIS_NODE_ELEMENTWISE | AEGIS_NODE_MOVEMENT | AEGIS_NODE_VIEW)) != 0;
    return cheap || op == "CumSum" || op == "ReduceSum" || op == "ReduceProd" || op == "ReduceMax" || op == "ReduceMin";
  }

  Context& cx_;
  std::uint32_t nodes_[most]{};
  aegis_node handles_[most]{};
  std::size_t count_ = 0;
  bool from_integers_ = false, arithmetic_ = false;
};

// The inputs of an operator that it reads as sizes or indices.
static bool is_size(Context& cx, const aegis_node_info& info, std::size_t slot) {
  const std::string_view op = view(info.op);
  if (op == "Cast") return is_integer(cx.dtype(info.outputs.data[0]));
  return op == "Range" || slot > 0;  // Resize, Upsample
}

// Narrow in the file, or what a recast that knew no shapes would make narrow.
static bool is_narrow(Context& cx, aegis_node node) {
  const bool recast = narrow_format(cx.view()->planned) != nullptr;
  const auto outputs = items(cx.node(node)->outputs);
  return std::ranges::any_of(outputs, [&](aegis_value output) {
    const auto* group = cx.fact<aegis_type_group>(output);
    const bool spared = group && (group->flags & AEGIS_TYPE_GROUP_SHAPE) && group->now == AEGIS_DTYPE_FLOAT;
    return cx.narrow(output) != nullptr || (recast && spared);
  });
}

static void report(Context& cx, std::span<aegis_node> nodes) {
  if (std::ranges::none_of(nodes, [&](aegis_node node) { return is_narrow(cx, node); })) return;
  const auto first = std::ranges::find_if(nodes, [&](aegis_node node) { return !cx.is(node, "Cast"); });
  const aegis_nodes region{nodes.data(), nodes.size()};
  cx.finding(*first)
      .certainty(AEGIS_CERTAIN)
      .message("{} nodes compute a shape or an index in a narrow type", nodes.size())
      .evidence("path_len", AEGIS_NODES, nodes.size())
      .relate_all(region, "path", *first)
      .request(KeepWide{.what = AEGIS_KEEP_REGION, .node = *first, .region = region}, Safety::exact);
}

static void check(Context& cx, Group group) {
  for (const aegis_node sink : group.members) {
    const auto* info = cx.node(sink);
    if (!info || info->outputs.count == 0) continue;
    const auto inputs = items(info->inputs);
    for (std::size_t slot = 0; slot < inputs.size(); ++slot) {
      Path path(cx);
      if (is_size(cx, *info, slot) && path.walk(inputs[slot]) && path.complete()) report(cx, path.in_file_order());
    }
  }
}

#define SIZES                                                                                                       \
  "g (float[1,3,h,w] x, float[2] ratio) => (int64[2] y) <int64[1] two = {2}, int64[1] four = {4}, int64[1] zero = " \
  "{0}> { s = Shape(x)  hw = Slice(s, two, four, zero)  f = Cast<to = 1>(hw)  m = Mul(f, ratio)  r = Floor(m)  "    \
  "y = Cast<to = 7>(r) }"

static constexpr Example bad[] = {{.as = "bf16", .text = SIZES}};
static constexpr Example good[] = {
    {.text = SIZES},
    {.as = "bf16",
     .weights = "w",
     .text = "g (float[8,64] x, float[64,64] w) => (int64[8,64] y) { m = MatMul(x, w)  r = Round(m)  "
             "y = Cast<to = 7>(r) }"}};

AEGIS_RULE(shape_arithmetic) = {
    .code = "PR321",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_ERROR,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_STABLE | AEGIS_RULE_PINS,
    .ops = ops<"Cast", "Resize", "Upsample", "Range">,
    .facts = facts<aegis_type_group>,
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
