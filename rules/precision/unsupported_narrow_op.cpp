#include <aegis/rule.hpp>

using namespace aegis::sdk;

// The narrow type that the node would compute in: the planned one for FLOAT values, else its own.
static aegis_dtype narrow_type(Context& cx, const aegis_node_info& info) {
  const aegis_dtype planned = cx.view()->planned;
  for (const auto& values : {info.inputs, info.outputs}) {
    for (const aegis_value value : items(values)) {
      const aegis_dtype stored = cx.dtype(value);
      if (narrow_format(stored)) return stored;
      if (stored == AEGIS_DTYPE_FLOAT && narrow_format(planned)) return planned;
    }
  }
  return AEGIS_DTYPE_UNDEFINED;
}

static void too_old(Context& cx, aegis_node node, const aegis_node_info& info, std::string_view type,
                    std::int64_t floor) {
  if (floor == 0) {
    cx.finding(node)
        .message("{} takes no {} in any opset", info.op, type)
        .evidence("opset", AEGIS_PLAIN, info.opset)
        .request(KeepWide{.what = AEGIS_KEEP_NODE, .node = node}, Safety::exact);
    return;
  }
  cx.finding(node)
      .message("{} takes {} from opset {} on, the model has {}", info.op, type, floor, info.opset)
      .evidence("opset", AEGIS_PLAIN, info.opset)
      .evidence("floor", AEGIS_PLAIN, floor)
      .request(RaiseOpset{.node = node, .to = floor}, Safety::exact)
      .request(KeepWide{.what = AEGIS_KEEP_NODE, .node = node}, Safety::exact);
}

static std::string_view runtime_name(std::uint32_t runtime) {
  switch (runtime) {
    case AEGIS_RUNTIME_ORT_CPU: return "ort-cpu";
    case AEGIS_RUNTIME_ORT_CUDA: return "ort-cuda";
    case AEGIS_RUNTIME_TENSORRT: return "tensorrt";
    default: return "";
  }
}

// Operators whose float inputs are FLOAT by their schema, with no type variable that could be narrow.
static bool float_only(Context& cx, aegis_node node) {
  const auto* slots = cx.fact<aegis_slots>(node);
  bool fixed = false;
  for (const auto& slot : Items<aegis_slot>(slots ? slots->list : aegis_list{})) {
    if (slot.flags & AEGIS_SLOT_OUTPUT || slot.dtype != AEGIS_DTYPE_FLOAT) continue;
    if (!(slot.flags & AEGIS_SLOT_FLOAT_ONLY)) return false;
    fixed = true;
  }
  return fixed;
}

static void check(Context& cx, Node node) {
  const auto* info = cx.node(node);
  if (!info) return;
  const aegis_dtype dtype = narrow_type(cx, *info);
  if (dtype == AEGIS_DTYPE_UNDEFINED) return;
  const auto support = cx.query(aegis_support_in{.node = node, .dtype = dtype, .runtime = cx.view()->runtime});
  if (!support) return;
  const std::string_view type = narrow_format(dtype)->name;
  if (support->schema_floor < 0) {
    if (float_only(cx, node)) too_old(cx, node, *info, type, 0);
    return;
  }
  if (support->schema_floor == 0 || support->schema_floor > info->opset) {
    return too_old(cx, node, *info, type, support->schema_floor);
  }
  const std::string_view runtime = runtime_name(cx.view()->runtime);
  if (runtime.empty() || (support->kernel != AEGIS_KERNEL_NO && support->kernel != AEGIS_KERNEL_UNKNOWN)) return;
  const bool no = support->kernel == AEGIS_KERNEL_NO;
  cx.finding(node)
      .severity(no ? AEGIS_ERROR : AEGIS_INFO)
      .message("{} {} for {} in {}", runtime, no ? "has no kernel" : "may have no kernel", info->op, type)
      .evidence("opset", AEGIS_PLAIN, info->opset)
      .evidence("runtime", runtime)
      .request(KeepWide{.what = AEGIS_KEEP_NODE, .node = node}, Safety::exact);
}

static constexpr Example bad[] = {
    {.as = "bf16",
     .weights = "w",
     .text = "<ir_version: 8, opset_import: [\"\" : 17]> g (float[1,8,16,16] x, float[8,8,3,3] w) => "
             "(float[1,8,14,14] y) { y = Conv(x, w) }"}};
static constexpr Example good[] = {
    {.as = "bf16",
     .weights = "w",
     .text = "<ir_version: 10, opset_import: [\"\" : 22]> g (float[1,8,16,16] x, float[8,8,3,3] w) => "
             "(float[1,8,14,14] y) { y = Conv(x, w) }"},
    {.as = "fp16", .text = "g (float[4,4] x) => (float[4] y) { y = Einsum<equation = \"ij->i\">(x) }"}};

AEGIS_RULE(unsupported_narrow_op) = {
    .code = "PR336",
    .severity = AEGIS_ERROR,
    .safety = AEGIS_EXACT,
    .flags = AEGIS_RULE_STABLE,
    .facts = facts<aegis_support, aegis_slots>,
    .silences = codes<"PR337">,
    .check = entry<check>,
    .doc =
        "## What\n"
        "An operator does not take the narrow type: at this opset, at any, or in the chosen runtime.\n\n"
        "## Why\n"
        "A file with such a node does not load, or the runtime inserts Casts around it.\n\n"
        "## Fix\n"
        "Raise the opset to the first one that has the type, or keep the node in FLOAT.",
    .bad = list(bad),
    .good = list(good)};
