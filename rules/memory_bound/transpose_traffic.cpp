#include <aegis/rule.hpp>

using namespace aegis::sdk;

static void check(Context& cx, Group group) {
  const auto* chain = cx.fact<aegis_chain>(group);
  const auto* pattern = cx.fact<aegis_pattern>(group);
  if (!chain || !pattern || !(chain->bytes.op > 0)) return;
  const bool cancels = chain->identity == AEGIS_YES && pattern->nodes.count >= 2;
  if (!cancels && !(chain->percent.op >= 100 * cx.option("min_time_share"))) return;
  auto opened = cx.finding(group);
  auto found = cancels ? opened.message("{} Transposes undo each other", pattern->nodes.count)
                       : opened.message("{} Transposes move {} bytes", pattern->nodes.count, chain->bytes.op);
  found.standard(group)
      .evidence("pairs", AEGIS_NODES, pattern->nodes.count / 2)
      .relate_all(pattern->nodes, "chain", group.first)
      .advise("cancel the pair, or move it past the elementwise nodes between");
}

static constexpr Option options[] = {
    {.key = "min_time_share", .value = 0.03, .max = 1, .help = "the least share of the model's time, as a fraction"}};
static constexpr Example bad[] = {
    {.as = "fp16",
     .text = "g (float[8,64,128,128] x) => (float[8,64,128,128] y) { a = Transpose<perm = [0,2,3,1]>(x)  b = Relu(a)  "
             "y = Transpose<perm = [0,3,1,2]>(b) }"}};
static constexpr Example good[] = {{.as = "fp16",
                                    .text = "g (float[64,128] x, float[64,128] k) => (float[64,64] y) { t = "
                                            "Transpose<perm = [1,0]>(k)  y = MatMul(x, t) }"}};

AEGIS_RULE(transpose_traffic) = {
    .code = "MB209",
    .unit = AEGIS_UNIT_GROUP,
    .severity = AEGIS_INFO,
    .ops = ops<"@transpose_chain">,
    .facts = facts<aegis_chain, aegis_pattern, aegis_cost, aegis_roofline>,
    .options = list(options),
    .check = entry<check>,
    .doc =
        "## What\n"
        "Transposes that cancel each other, or that take a share of the time.\n\n"
        "## Why\n"
        "A Transpose reads and writes every byte and computes nothing. One that swaps the last two axes before a "
        "product is free.\n\n"
        "## Fix\n"
        "Cancel pairs, move them past elementwise nodes, or store weights the other way round.",
    .bad = list(bad),
    .good = list(good)};
