#include <algorithm>
#include <array>

#include "model/attribute.hpp"
#include "ops/cost/gemm_shape.hpp"
#include "ops/fact.hpp"
#include "ops/graph/structure.hpp"

using namespace aegis;

namespace {

struct Row {
  std::string_view op;
  std::uint32_t kind;
  bool squares;
  enum class Axes { listed, window, spatial, one, from } axes;
};
constexpr std::array rows = {
    Row{"ReduceSum", AEGIS_REDUCTION_SUM, false, Row::Axes::listed},
    Row{"ReduceL1", AEGIS_REDUCTION_SUM, false, Row::Axes::listed},
    Row{"ReduceLogSum", AEGIS_REDUCTION_SUM, false, Row::Axes::listed},
    Row{"ReduceLogSumExp", AEGIS_REDUCTION_SUM, false, Row::Axes::listed},
    Row{"ReduceL2", AEGIS_REDUCTION_NORM, true, Row::Axes::listed},
    Row{"ReduceSumSquare", AEGIS_REDUCTION_SUM, true, Row::Axes::listed},
    Row{"ReduceMean", AEGIS_REDUCTION_MEAN, false, Row::Axes::listed},
    Row{"ReduceMax", AEGIS_REDUCTION_MAX, false, Row::Axes::listed},
    Row{"ReduceMin", AEGIS_REDUCTION_MAX, false, Row::Axes::listed},
    Row{"AveragePool", AEGIS_REDUCTION_MEAN, false, Row::Axes::window},
    Row{"LpPool", AEGIS_REDUCTION_NORM, true, Row::Axes::window},
    Row{"MaxPool", AEGIS_REDUCTION_MAX, false, Row::Axes::window},
    Row{"GlobalAveragePool", AEGIS_REDUCTION_MEAN, false, Row::Axes::spatial},
    Row{"GlobalLpPool", AEGIS_REDUCTION_NORM, true, Row::Axes::spatial},
    Row{"GlobalMaxPool", AEGIS_REDUCTION_MAX, false, Row::Axes::spatial},
    Row{"InstanceNormalization", AEGIS_REDUCTION_NORM, true, Row::Axes::spatial},
    Row{"LayerNormalization", AEGIS_REDUCTION_NORM, true, Row::Axes::from},
    Row{"RMSNormalization", AEGIS_REDUCTION_NORM, true, Row::Axes::from},
    Row{"LpNormalization", AEGIS_REDUCTION_NORM, true, Row::Axes::one},
    Row{"Softmax", AEGIS_REDUCTION_SUM, false, Row::Axes::one},
    Row{"LogSoftmax", AEGIS_REDUCTION_SUM, false, Row::Axes::one},
    Row{"CumSum", AEGIS_REDUCTION_SCAN, false, Row::Axes::one},
    Row{"CumProd", AEGIS_REDUCTION_SCAN, false, Row::Axes::one},
};

// Elements that are folded into one; unknown when axes or extents are.
Dim folded(const FactTable& table, const Node& node, const Row& row) {
  const auto& type = table.types().of(node.inputs[0]);
  if (row.axes == Row::Axes::window) {
    const auto kernel = attribute_ints(node, "kernel_shape");
    return kernel ? Dim::of(element_count(*kernel)) : Dim{};
  }
  if (!type.ranked()) return Dim{};
  const std::span<const Dim> dims = *type.dims;
  const auto at = [&](std::int64_t axis) {
    axis = axis < 0 ? axis + type.rank() : axis;
    return axis >= 0 && axis < type.rank() ? dims[static_cast<std::size_t>(axis)] : Dim{};
  };
  switch (row.axes) {
    case Row::Axes::spatial: return dims.size() > 2 ? product(dims.subspan(2)) : Dim{};
    case Row::Axes::from: {
      std::int64_t axis = attribute(node, "axis", std::int64_t{-1});
      axis = axis < 0 ? axis + type.rank() : axis;
      return axis >= 0 && axis <= type.rank() ? product(dims.subspan(static_cast<std::size_t>(axis))) : Dim{};
    }
    case Row::Axes::one: {
      if (node.op.starts_with("Cum")) {
        const auto axis = node.inputs.size() > 1 ? known_integers(table, node.inputs[1]) : std::nullopt;
        return axis && axis->size() == 1 ? at((*axis)[0]) : Dim{};
      }
      // Softmax before opset 13 folds all axes from `axis` on, 1 by default.
      if (node.op.ends_with("Softmax") && table.model().opset() < 13) {
        const std::int64_t axis = attribute(node, "axis", std::int64_t{1});
        return axis >= 0 && axis <= type.rank() ? product(dims.subspan(static_cast<std::size_t>(axis))) : Dim{};
      }
      return at(attribute(node, "axis", std::int64_t{-1}));
    }
    default: break;
  }
  auto axes = attribute_ints(node, "axes");
  if (!axes && node.inputs.size() > 1 && node.inputs[1] != ValueId::none) {
    axes = known_integers(table, node.inputs[1]);
    if (!axes) return Dim{};
  }
  if (!axes || axes->empty())
    return attribute(node, "noop_with_empty_axes", std::int64_t{0}) != 0 ? Dim::of(1) : product(dims);
  Dim n = Dim::of(1);
  for (const std::int64_t axis : *axes) n = times(n, at(axis));
  return n;
}

const void* of_node(FactTable& table, NodeId id, aegis_absence&) {
  const Node& node = table.model().node(id);
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.op == node.op; });
  if (row == rows.end() || !node.domain.empty() || node.inputs.empty() || node.inputs[0] == ValueId::none)
    return nullptr;
  auto* fact = table.make<aegis_reduction>();
  fact->kind = row->kind;
  // The p-norms square their elements only for p = 2.
  const bool p_norm = node.op == "LpPool" || node.op == "GlobalLpPool" || node.op == "LpNormalization";
  fact->squares = row->squares && (!p_norm || attribute(node, "p", std::int64_t{2}) == 2) ? 1u : 0u;
  fact->n = table.dim(folded(table, node, *row));
  return fact;
}

}  // namespace

AEGIS_FACT(reduction) = {.id = AEGIS_FACT_REDUCTION, .of_node = of_node};
