#include <algorithm>
#include <array>
#include <cstring>

#include "ops/cost/as.hpp"
#include "ops/fact.hpp"
#include "ops/graph/schemas.hpp"
#include "ops/graph/structure.hpp"
#include "ops/runtimes.hpp"

using namespace aegis;

namespace {

constexpr std::int64_t newest_opset = 28;
constexpr std::uint64_t bit(DType type) { return std::uint64_t{1} << static_cast<unsigned>(type); }

// Does the schema at this opset take `type` wherever the node's float slots have to follow it?
aegis_answer takes(FactTable& table, const Node& node, DType type, std::int64_t opset) {
  const auto& schema = table.analysis<Schemas>().types(node, opset);
  if (!schema) return AEGIS_UNKNOWN;
  bool any = false;
  const auto fits = [&](const std::vector<ValueId>& values, const std::vector<SlotTypes>& slots) {
    for (std::size_t i = 0; i < values.size() && i < slots.size(); ++i) {
      if (values[i] == ValueId::none || slots[i].variable < 0 || !is_float(table.types().of(values[i]).dtype)) continue;
      // The variable of the first input or output carries the data; others may stay FLOAT.
      const bool data = (!schema->inputs.empty() && slots[i].variable == schema->inputs[0].variable) ||
                        (!schema->outputs.empty() && slots[i].variable == schema->outputs[0].variable);
      if (!data) continue;
      any = true;
      if (!(slots[i].allowed & bit(type))) return false;
    }
    return true;
  };
  if (!fits(node.inputs, schema->inputs) || !fits(node.outputs, schema->outputs)) return AEGIS_NO;
  return any ? AEGIS_YES : AEGIS_UNKNOWN;
}

std::int64_t schema_floor(FactTable& table, const Node& node, DType type) {
  if (!node.domain.empty()) return -1;
  bool known = false;
  for (std::int64_t opset = 1; opset <= newest_opset; ++opset) {
    const aegis_answer fits = takes(table, node, type, opset);
    if (fits == AEGIS_YES) return opset;
    known = known || fits == AEGIS_NO;
  }
  return known ? 0 : -1;
}

// The output's extents are known only after the node ran: the host has to wait for it.
bool syncs(const Node& node) {
  constexpr std::array ops = {"NonZero", "Unique", "Compress", "NonMaxSuppression"};
  return node.domain.empty() && std::any_of(ops.begin(), ops.end(), [&](const char* op) { return node.op == op; });
}

// The float type that the node computes in: of its first float output or input, as the view sees it.
DType own_type(const FactTable& table, const Node& node) {
  for (const auto* list : {&node.outputs, &node.inputs})
    for (const ValueId value : *list) {
      if (value == ValueId::none) continue;
      const DType stored = table.types().of(value).dtype;
      if (!is_float(stored)) continue;
      const Compute planned = table.view().planned;
      const bool recast = planned == AEGIS_DTYPE_FLOAT16 || planned == AEGIS_DTYPE_BFLOAT16;
      return recast && (stored == DType::f32 || is_narrow_float(stored)) ? static_cast<DType>(planned) : stored;
    }
  return DType::undefined;
}

void fill(FactTable& table, const Node& node, DType type, std::uint32_t runtime, std::int64_t opset,
          aegis_support& out) {
  const RuntimeRow row = node.domain.empty() ? runtime_row(node.op) : RuntimeRow{};
  const bool host = table.analysis<Structure>().role(node.id) == NodeRole::host;
  out.dtype = compute_of(type);
  out.schema_floor = is_float(type) ? schema_floor(table, node, type) : -1;
  out.first_gap = row.gap;
  out.syncs = syncs(node) ? 1u : 0u;
  if (runtime == AEGIS_RUNTIME_SCHEMA) {
    const aegis_answer fits = takes(table, node, type, opset);
    if (fits == AEGIS_YES) out.kernel = AEGIS_KERNEL_YES;
    if (fits == AEGIS_NO) out.kernel = AEGIS_KERNEL_NO;
  } else {
    out.kernel = runtime_kernel(row, runtime, type, opset);
  }
  out.placement = AEGIS_PLACEMENT_UNKNOWN;
  if (host || runtime == AEGIS_RUNTIME_ORT_CPU)
    out.placement = AEGIS_PLACEMENT_HOST;
  else if (runtime == AEGIS_RUNTIME_ORT_CUDA && row.gap > 0 && opset >= row.gap)
    out.placement = AEGIS_PLACEMENT_HOST;
  else if (runtime == AEGIS_RUNTIME_TENSORRT && row.tensorrt == "no")
    out.placement = AEGIS_PLACEMENT_NEITHER;
  else if (!row.op.empty() && runtime != AEGIS_RUNTIME_SCHEMA)
    out.placement = AEGIS_PLACEMENT_DEVICE;
}

const void* of_node(FactTable& table, NodeId id, aegis_absence&) {
  const Node& node = table.model().node(id);
  auto* fact = table.make<aegis_support>();
  fill(table, node, own_type(table, node), table.view().runtime, table.model().opset(node.domain), *fact);
  return fact;
}

aegis_status query(FactTable& table, const void* in_data, void* out_data) {
  const auto* in = static_cast<const aegis_support_in*>(in_data);
  auto* out = static_cast<aegis_support*>(out_data);
  if (in->struct_size < sizeof(aegis_support_in) || out->struct_size < sizeof(std::uint32_t)) return AEGIS_INVALID;
  if (in->node.id >= table.model().nodes().size() || in->dtype >= 64) return AEGIS_INVALID;
  const Node& node = table.model().node(id_of(in->node));
  const DType type = in->dtype == 0 ? own_type(table, node) : static_cast<DType>(in->dtype);
  aegis_support answer{};
  fill(table, node, type, in->runtime, in->opset > 0 ? in->opset : table.model().opset(node.domain), answer);
  answer.struct_size = out->struct_size;
  std::memcpy(out, &answer, std::min<std::size_t>(out->struct_size, sizeof answer));
  return AEGIS_OK;
}

}  // namespace

AEGIS_FACT(support) = {.id = AEGIS_FACT_SUPPORT, .of_node = of_node, .query_id = AEGIS_QUERY_SUPPORT, .query = query};
