#include <algorithm>
#include <array>

#include "model/attribute.hpp"
#include "ops/cost/as.hpp"
#include "ops/cost/gemm_shape.hpp"
#include "ops/fact.hpp"
#include "ops/graph/structure.hpp"

using namespace aegis;

namespace {

struct Row {
  std::string_view op, domain;
  std::size_t x, w;
  unsigned flags;
};
constexpr std::array rows = {
    Row{"Conv", "", 0, 1, 0},
    Row{"ConvTranspose", "", 0, 1, AEGIS_CONV_TRANSPOSED},
    Row{"ConvInteger", "", 0, 1, AEGIS_CONV_QUANTISED},
    Row{"QLinearConv", "", 0, 3, AEGIS_CONV_QUANTISED},
    Row{"FusedConv", "com.microsoft", 0, 1, 0},
    Row{"NhwcConv", "com.microsoft", 0, 1, AEGIS_CONV_NHWC},
    Row{"NhwcFusedConv", "com.microsoft", 0, 1, AEGIS_CONV_NHWC},
};

// The graph input that a value comes from through elementwise nodes and Transpose.
ValueId input_root(const FactTable& table, const Structure& structure, ValueId value) {
  const Model& model = table.model();
  for (int i = 0; i < 64 && value != ValueId::none; ++i) {
    const Value& v = model.value(value);
    if (v.producer == NodeId::none) return v.input && v.scope == ScopeId::main ? value : ValueId::none;
    const Node& node = model.node(v.producer);
    const Op* op = structure.op(node.id);
    if (!op || (op->cost.kind != CostClass::elementwise && op->cost.kind != CostClass::view && node.op != "Transpose"))
      return ValueId::none;
    const auto data = std::find_if(node.inputs.begin(), node.inputs.end(),
                                   [&](ValueId in) { return in != ValueId::none && !structure.constant(in); });
    value = data == node.inputs.end() ? ValueId::none : *data;
  }
  return ValueId::none;
}

const void* of_node(FactTable& table, NodeId id, aegis_absence& why) {
  const Model& model = table.model();
  const Node& node = model.node(id);
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.op == node.op && r.domain == node.domain; });
  if (row == rows.end() || node.inputs.size() <= row->w || node.outputs.empty()) return nullptr;
  const ValueId x = node.inputs[row->x], w = node.inputs[row->w], y = node.outputs[0];
  if (x == ValueId::none || w == ValueId::none || y == ValueId::none) return nullptr;
  const auto& types = table.types();
  const int rank = types.of(x).rank();
  if (rank < 3 || types.of(w).rank() != rank) return why = AEGIS_UNKNOWN_DIM, nullptr;

  auto* fact = table.make<aegis_conv>();
  fact->flags = row->flags;
  fact->group = std::max<std::int64_t>(1, attribute(node, "group", std::int64_t{1}));
  const bool nhwc = (row->flags & AEGIS_CONV_NHWC) != 0, transposed = (row->flags & AEGIS_CONV_TRANSPOSED) != 0;
  const int spatial = nhwc ? 1 : 2;
  fact->batch = table.extent(x, 0);
  const auto& wd = *types.of(w).dims;
  const Dim group = Dim::of(fact->group);
  // W is [Co, Ci/g, ...]; of ConvTranspose [Ci, Co/g, ...].
  fact->ci = transposed         ? table.extent(w, 0)
             : fact->group == 1 ? table.extent(w, 1)
                                : table.extent(x, nhwc ? rank - 1 : 1);
  fact->co = transposed && fact->group == 1 ? table.extent(w, 1) : transposed ? table.extent(y, 1) : table.extent(w, 0);
  fact->rank = static_cast<std::uint32_t>(rank - 2);
  const auto kernel = attribute_ints(node, "kernel_shape"), stride = attribute_ints(node, "strides"),
             dilation = attribute_ints(node, "dilations");
  Dim window = Dim::of(1), pixels = Dim::of(1);
  const ValueId moving = transposed ? x : y;  // the tensor whose pixels are rows of the GEMM
  for (int i = 0; i < rank - 2; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const Dim& extent = wd[at + 2];
    window = times(window, extent);
    const auto& md = types.of(moving);
    pixels =
        times(pixels, md.ranked() && md.rank() == rank ? (*md.dims)[static_cast<std::size_t>(spatial + i)] : Dim{});
    if (i >= 3) continue;
    const auto pick = [&](const auto& list, std::int64_t otherwise) {
      return list && at < list->size() ? (*list)[at] : otherwise;
    };
    fact->kernel[i] = pick(kernel, extent.value().value_or(-1));
    fact->stride[i] = pick(stride, 1);
    fact->dilation[i] = pick(dilation, 1);
    fact->in[i] = table.extent(x, spatial + i).dim;
    fact->out[i] = table.extent(y, spatial + i).dim;
  }
  for (int i = rank - 2; i < 3; ++i) {
    fact->kernel[i] = fact->stride[i] = fact->dilation[i] = 1;
    fact->in[i] = fact->out[i] = table.dim(Dim::of(1));
  }
  const Dim m = times(table.dim(fact->batch.dim), pixels);
  const auto per_group = [&](const Dim& whole) {
    return whole.known() ? Dim{.extent = whole.extent / group.extent,
                               .kind = Dim::Kind::value,
                               .origin = whole.origin,
                               .depends = whole.depends}
                         : whole;
  };
  fact->m = table.dim(m);
  if (transposed) {
    fact->n = table.dim(times(wd[1], window));
    fact->k = table.dim(per_group(wd[0]));
  } else {
    fact->n = table.dim(per_group(wd[0]));
    fact->k = table.dim(times(wd[1], window));
  }
  const Dim& each = transposed ? wd[0] : wd[1];  // input channels: of a group, or all of a ConvTranspose
  const bool one = transposed ? each.known() && each.extent == fact->group : each.known() && each.extent == 1;
  if (fact->group > 1 && one) fact->flags |= AEGIS_CONV_DEPTHWISE;

  const DType type = types.of(x).dtype;
  const DType from = dequantised_from(table, x);
  const bool quantised = (row->flags & AEGIS_CONV_QUANTISED) != 0 ||
                         (from != DType::undefined && dequantised_from(table, w) != DType::undefined);
  if (quantised) fact->flags |= AEGIS_CONV_QUANTISED;
  fact->compute = quantised ? compute_of(from != DType::undefined ? from : type) : compute_as(table, type);
  if (fact->compute == AEGIS_DTYPE_UINT8) fact->compute = AEGIS_DTYPE_INT8;
  fact->x = handle(x);
  fact->w = handle(w);
  fact->y = handle(y);
  fact->input_root = handle(input_root(table, table.analysis<Structure>(), x));
  return fact;
}

}  // namespace

AEGIS_FACT(conv) = {.id = AEGIS_FACT_CONV, .of_node = of_node};
