#include "ops/graph/chains.hpp"

#include <algorithm>

#include "ops/cost/model_cost.hpp"
#include "ops/fact.hpp"
#include "ops/graph/groups.hpp"

using namespace aegis;

namespace {

// A chain of convolutions in NCHW: layout transforms at its two ends, or around every convolution.
aegis_pair transform_bytes(FactTable& table, const std::vector<NodeId>& convs) {
  aegis_pair bytes{};
  for (std::size_t i = 0; i < convs.size(); ++i) {
    const auto* conv = table.get<aegis_conv>(convs[i]);
    if (!conv) continue;
    const double x = value_bytes(table, id_of(conv->x)), y = value_bytes(table, id_of(conv->y));
    bytes.op += 2 * (x + y);  // read and written
    if (i == 0) bytes.fused += 2 * x;
    if (i + 1 == convs.size()) bytes.fused += 2 * y;
  }
  return bytes;
}

const void* of_group(FactTable& table, GroupId id, aegis_absence&) {
  const GroupData& group = table.analysis<Groups>().group(id);
  if (group.kind != AEGIS_GROUP_CHAIN) return nullptr;
  const auto& costs = table.analysis<CostModel>();
  Cost sum;
  auto* fact = table.make<aegis_chain>();
  for (const auto& copy : group.copies)
    for (const NodeId node : copy) {
      sum.add(costs.of(node));
      const auto& outputs = table.model().node(node).outputs;
      const auto* foldable =
          outputs.empty() || outputs[0] == ValueId::none ? nullptr : table.get<aegis_foldable>(outputs[0]);
      if (foldable && foldable->foldable == AEGIS_YES) ++fact->foldable_nodes;
    }
  fact->kernels = sum.kernels;
  fact->launch_us = sum.launch_us;
  fact->bytes = sum.bytes;
  fact->percent = costs.percent(sum);
  fact->work_us = sum.time_us.op - sum.launch_us.op;
  fact->identity = AEGIS_NO;
  if (group.pattern.kind == AEGIS_PATTERN_TRANSPOSE_CHAIN)
    fact->identity = answer(composes_to_identity(table, group.copies.front()));
  if (group.pattern.kind == AEGIS_PATTERN_CONV_CHAIN) {
    fact->bytes = {};
    for (const auto& copy : group.copies) {
      const aegis_pair bytes = transform_bytes(table, copy);
      fact->bytes.fused += bytes.fused;
      fact->bytes.op += bytes.op;
    }
  }
  if (group.pattern.kind == AEGIS_PATTERN_SHAPE_CHAIN) {
    // Host arithmetic launches nothing by the cost model; a runtime that keeps it on the device pays for each node.
    fact->kernels.op = 0;
    for (const auto& copy : group.copies) fact->kernels.op += static_cast<double>(copy.size());
    fact->launch_us.op = fact->kernels.op * table.target().launch_us_stream;
  }
  return fact;
}

}  // namespace

AEGIS_FACT(chain) = {.id = AEGIS_FACT_CHAIN, .of_group = of_group};
