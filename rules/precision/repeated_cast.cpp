#include <aegis/rule.hpp>

using namespace aegis::sdk;

static constexpr std::size_t most = 64;

static void report(Context& cx, aegis_node cast) {
  const aegis_value source = cx.input(cast, 0);
  const auto* value = some(source) ? cx.value(source) : nullptr;
  const auto* info = cx.node(cast);
  if (!value || !info) return;
  const aegis_dtype to = cx.dtype(cx.output(cast, 0));
  aegis_node casts[most];
  std::uint64_t count = 0;
  for (std::uint32_t i = 0; i < value->uses_count && count < most; ++i) {
    const aegis_node reader = value->uses[i].node;
    if (!some(reader) || !cx.is(reader, "Cast") || cx.dtype(cx.output(reader, 0)) != to) continue;
    if (cx.node(reader)->scope.id != info->scope.id) continue;
    if (reader.id < cast.id) return;  // told at the first one
    casts[count++] = reader;
  }
  if (count < 2) return;
  const aegis_nodes all{casts, count};
  cx.finding(cast)
      .message("{} Casts of one value to {}", count, dtype_name(to))
      .evidence("count", AEGIS_NODES, count)
      .evidence("bytes", AEGIS_BYTES,
                static_cast<double>(count - 1) * (cx.bytes(source) + cx.bytes(cx.output(cast, 0))))
      .relate_all(all, "cast", cast)
      .request(ShareCast{.value = source, .casts = all}, Safety::exact);
}

static void check(Context& cx, Group group) {
  for (const aegis_node cast : group.members) report(cx, cast);
}

static constexpr Example bad[] = {
    {.text = "g (float[8,64] x) => (float16[8,64] y) { a = Cast<to = 10>(x)  b = Cast<to = 10>(x)  y = Add(a, b) }"}};
static constexpr Example good[] = {
    {.text = "g (float[8,64] x) => (float16[8,64] y) { a = Cast<to = 10>(x)  y = Add(a, a) }"}};

AEGIS_RULE(repeated_cast) = {.code = "PR332",
                             .unit = AEGIS_UNIT_GROUP,
                             .severity = AEGIS_WARNING,
                             .safety = AEGIS_EXACT,
                             .flags = AEGIS_RULE_STABLE | AEGIS_RULE_EFFICIENCY,
                             .ops = ops<"Cast">,
                             .check = entry<check>,
                             .doc =
                                 "## What\n"
                                 "One value is cast to the same type several times in one scope.\n\n"
                                 "## Why\n"
                                 "Each Cast reads and writes the whole value.\n\n"
                                 "## Fix\n"
                                 "One Cast for all readers: same bits.",
                             .bad = list(bad),
                             .good = list(good)};
