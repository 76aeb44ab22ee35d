#include <aegis/rule.hpp>

#include <algorithm>

using namespace aegis::sdk;

// Does a node do more than move elements or map them one by one?
static bool is_touchy(Context& cx, aegis_node node) {
  const auto* info = cx.node(node);
  if (!info || view(info->op) == "Cast" || info->outputs.count == 0) return false;
  const auto* group = cx.fact<aegis_type_group>(info->outputs.data[0]);
  return group && group->risk != AEGIS_RISK_NONE && group->risk != AEGIS_RISK_MOVE && group->risk != AEGIS_RISK_MAP;
}

// The FLOAT nodes between the Casts, from one of them on.
class Region {
 public:
  Region(Context& cx, aegis_value from) : cx_(cx) { add_readers(from); }
  std::span<const aegis_node> nodes() const { return {nodes_, count_}; }
  bool closed() const { return closed_; }

 private:
  static constexpr std::size_t most = 64;

  void add_readers(aegis_value value) {
    const auto* info = some(value) ? cx_.value(value) : nullptr;
    if (!info || (info->flags & AEGIS_VALUE_OUTPUT)) closed_ = false;
    for (std::uint32_t i = 0; info && i < info->uses_count; ++i) {
      if (some(info->uses[i].node)) add(info->uses[i].node);
    }
  }
  void add(aegis_node node) {
    const auto is_there = [&](aegis_node other) { return other.id == node.id; };
    if (std::any_of(nodes_, nodes_ + count_, is_there)) return;
    if (count_ == most) {
      closed_ = false;
      return;
    }
    nodes_[count_++] = node;
    const auto* info = cx_.node(node);
    if (view(info->op) == "Cast") return;  // the way out
    for (const aegis_value output : items(info->outputs)) {
      if (cx_.dtype(output) == AEGIS_DTYPE_FLOAT) add_readers(output);
    }
  }

  Context& cx_;
  aegis_node nodes_[most]{};
  std::size_t count_ = 0;
  bool closed_ = true;
};

static void check(Context& cx, Group group) {
  for (const aegis_node up : group.members) {
    const aegis_value inside = cx.output(up, 0);
    if (cx.dtype(inside) != AEGIS_DTYPE_FLOAT || !narrow_format(cx.dtype(cx.input(up, 0)))) continue;
    const Region region(cx, inside);
    if (!region.closed()) continue;
    const auto nodes = region.nodes();
    if (std::ranges::none_of(nodes, [&](aegis_node node) { return is_touchy(cx, node); })) continue;
    cx.finding(up)
        .certainty(AEGIS_CERTAIN)
        .message("{} nodes run in FLOAT between Casts that are part of the model", nodes.size())
        .evidence("nodes", AEGIS_NODES, nodes.size())
        .relate_all({nodes.data(), nodes.size()}, "island", up);
  }
}

static constexpr Example bad[] = {
    {.text = "g (float16[2,16] x) => (float16[2,16] y) <int64[1] last = {-1}> { u = Cast<to = 1>(x)  s = Mul(u, u)  "
             "m = ReduceMean(s, last)  r = Sqrt(m)  d = Div(u, r)  y = Cast<to = 10>(d) }"}};
static constexpr Example good[] = {
    {.text = "g (float16[2,16] x) => (float16[2,16] y) { u = Cast<to = 1>(x)  r = Relu(u)  y = Cast<to = 10>(r) }"}};

AEGIS_RULE(author_island) = {
    .code = "PR340",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_INFO,
    .flags = AEGIS_RULE_PINS,
    .ops = ops<"Cast">,
    .facts = facts<aegis_type_group>,
    .silences = codes<"PR330", "PR331">,
    .check = entry<check>,
    .doc =
        "## What\n"
        "A region that computes in FLOAT between Casts in a model that is narrow elsewhere.\n\n"
        "## Why\n"
        "Its author kept it wide on purpose: norms and softmaxes are written this way.\n\n"
        "## Fix\n"
        "None: a recast keeps it.",
    .bad = list(bad),
    .good = list(good)};
