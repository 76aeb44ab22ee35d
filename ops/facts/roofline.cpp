#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/cost/formulas.hpp"
#include "ops/cost/model_cost.hpp"
#include "ops/fact.hpp"
#include "ops/graph/groups.hpp"

using namespace aegis;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// Which limit decides: nothing to run, the launch, the memory, the arithmetic.
std::uint32_t bound(double kernels, double time, double launch, double intensity, double ridge) {
  if (std::isnan(time) || std::isnan(kernels)) return AEGIS_BOUND_UNKNOWN;
  if (kernels == 0 && time == 0) return AEGIS_BOUND_FREE;
  if (time - launch < launch) return AEGIS_BOUND_LAUNCH;
  return intensity < ridge ? AEGIS_BOUND_MEMORY : AEGIS_BOUND_COMPUTE;
}

const aegis_roofline* make(FactTable& table, const Cost& cost, Compute compute, const aegis_gemm* gemm,
                           aegis_absence& why) {
  const Rate* rate = table.target().rate(compute);
  // Elementwise work on integers and other types runs on the CUDA cores.
  if (!rate && !gemm && compute != AEGIS_DTYPE_DOUBLE) rate = table.target().rate(AEGIS_DTYPE_FLOAT);
  if (!rate) return why = AEGIS_NO_RATE, nullptr;
  auto* fact = table.make<aegis_roofline>();
  fact->compute = compute;
  fact->ridge = rate->ridge;
  fact->peak_tflops = rate->tflops;
  const auto intensity = [&](double bytes) { return bytes > 0 ? cost.flops / bytes : cost.flops > 0 ? unknown : 0; };
  fact->intensity = {intensity(cost.bytes.fused), intensity(cost.bytes.op)};
  fact->bound_fused =
      bound(cost.kernels.fused, cost.time_us.fused, cost.launch_us.fused, fact->intensity.fused, rate->ridge);
  fact->bound_op = bound(cost.kernels.op, cost.time_us.op, cost.launch_us.op, fact->intensity.op, rate->ridge);
  fact->worth_padding = std::isnan(fact->intensity.fused)          ? AEGIS_UNKNOWN
                        : fact->intensity.fused >= rate->ridge / 2 ? AEGIS_YES
                                                                   : AEGIS_NO;
  if (gemm) {
    fact->m_min = -1;
    if (gemm->n.dim.kind == AEGIS_DIM_VALUE && gemm->k.dim.kind == AEGIS_DIM_VALUE)
      fact->m_min = smallest_compute_bound_m(gemm->n.dim.value, gemm->k.dim.value, rate->ridge, storage_bytes(compute))
                        .value_or(0);
  }
  return fact;
}

// What a GEMM of unknown M still tells: its rate, its m_min.
const aegis_roofline* without_cost(FactTable& table, const aegis_gemm& gemm, aegis_absence& why) {
  Cost cost;
  cost.flops = cost.bytes.fused = cost.bytes.op = cost.time_us.fused = cost.time_us.op = unknown;
  auto* fact = const_cast<aegis_roofline*>(make(table, cost, gemm.compute, &gemm, why));
  if (!fact) return nullptr;
  fact->intensity = {unknown, unknown};
  fact->worth_padding = AEGIS_UNKNOWN;
  fact->bound_fused = fact->bound_op = AEGIS_BOUND_UNKNOWN;
  return fact;
}

const void* of_node(FactTable& table, NodeId id, aegis_absence& why) {
  const auto& costs = table.analysis<CostModel>();
  const NodeWork& work = costs.work(id);
  const auto* gemm = table.get<aegis_gemm>(id);
  if (!work.known()) {
    why = work.why;
    return gemm ? without_cost(table, *gemm, why) : nullptr;
  }
  return make(table, costs.of(id), work.compute, gemm, why);
}

const void* of_group(FactTable& table, GroupId id, aegis_absence& why) {
  const GroupData& group = table.analysis<Groups>().group(id);
  if (group.copies.empty()) {
    const NodeId first = group.members.front();
    const auto* cost = table.get<aegis_cost>(id);
    if (!cost) return table.get<aegis_roofline>(first, &why);
    Cost sum{.flops = cost->flops};
    sum.bytes = cost->bytes;
    sum.time_us = cost->time_us;
    sum.launch_us = cost->launch_us;
    sum.kernels = cost->kernels;
    const auto& work = table.analysis<CostModel>().work(first);
    return make(table, sum, work.compute, table.get<aegis_gemm>(first), why);
  }
  // A pattern: judged by the type of its heaviest node.
  const auto& costs = table.analysis<CostModel>();
  Cost sum;
  Compute compute = 0;
  double most = -1;
  for (const auto& copy : group.copies)
    for (const NodeId node : copy) {
      sum.add(costs.of(node));
      if (costs.work(node).known() && costs.of(node).flops > most)
        most = costs.of(node).flops, compute = costs.work(node).compute;
    }
  if (most < 0) return why = AEGIS_UNKNOWN_DIM, nullptr;
  return make(table, sum, compute, nullptr, why);
}

}  // namespace

AEGIS_FACT(roofline) = {.id = AEGIS_FACT_ROOFLINE, .of_node = of_node, .of_group = of_group};
