#include <aegis/rule.hpp>

using namespace aegis::sdk;

// The values of the chain that depend on constants alone; a Request names at most so many.
static constexpr std::size_t most = 32;

static void check(Context& cx, Group group) {
  const auto* chain = cx.fact<aegis_chain>(group);
  const auto* pattern = cx.fact<aegis_pattern>(group);
  if (!chain || !pattern || pattern->nodes.count < static_cast<std::uint64_t>(cx.option("min_nodes"))) return;
  auto found = cx.finding(group).message("{} nodes compute shapes; {} of them depend on constants alone",
                                         pattern->nodes.count, chain->foldable_nodes);
  found.evidence("nodes", AEGIS_NODES, pattern->nodes.count)
      .evidence("kernels", AEGIS_PLAIN, chain->kernels.op)
      .evidence("foldable_nodes", AEGIS_NODES, chain->foldable_nodes)
      .relate_all(pattern->nodes, "chain", group.first);
  aegis_value values[most];
  std::uint64_t count = 0;
  for (const aegis_node node : items(pattern->nodes)) {
    const aegis_value output = cx.output(node, 0);
    const auto* foldable = some(output) ? cx.fact<aegis_foldable>(output) : nullptr;
    if (!foldable) continue;
    if (foldable->foldable == AEGIS_YES && count < most) values[count++] = output;
    for (const auto& symbol : Items<aegis_str>(foldable->symbols)) found.evidence("bind", view(symbol));
  }
  if (count > 0) found.request(Fold{.values = {values, count}}, Safety::exact);
}

static constexpr Option options[] = {{.type = AEGIS_OPTION_INT,
                                      .key = "min_nodes",
                                      .value = 4,
                                      .min = 1,
                                      .max = 1000,
                                      .help = "the least nodes of a chain"}};
static constexpr Example bad[] = {
    {.text = "g (float[8,64] x) => (float[8,64] y) <int64 zero = {0}, int64[1] axis = {0}, int64[1] rest = {-1}> "
             "{ s = Shape(x)  b = Gather(s, zero)  u = Unsqueeze(b, axis)  t = Concat<axis = 0>(u, rest)  y = "
             "Reshape(x, t) }"}};
static constexpr Example good[] = {
    {.text = "g (float[8,64] x) => (float[8,64] y) <int64[2] t = {8, 64}> { y = Reshape(x, t) }"}};

AEGIS_RULE(tiny_op_chain) = {
    .code = "MB205",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_INFO,
    .safety = AEGIS_EXACT,
    .ops = ops<"@shape_chain">,
    .facts = facts<aegis_chain, aegis_pattern, aegis_foldable>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "Four or more nodes do arithmetic on shapes.\n\n"
        "## Why\n"
        "Each is a step of the runtime that does next to nothing. What is static can be computed once.\n\n"
        "## Fix\n"
        "Fold the static part; bind the symbols that the finding names to make more of it static.",
    .bad = list(bad),
    .good = list(good)};
