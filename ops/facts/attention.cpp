#include "ops/graph/attention.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "model/attribute.hpp"
#include "ops/cost/as.hpp"
#include "ops/cost/gemm_shape.hpp"
#include "ops/fact.hpp"

using namespace aegis;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

aegis_answer is_default(double scale, const aegis_dim& head) {
  if (std::isnan(scale) || head.kind != AEGIS_DIM_VALUE || head.value <= 0) return AEGIS_UNKNOWN;
  const double wanted = 1 / std::sqrt(static_cast<double>(head.value));
  return std::abs(scale - wanted) <= 1e-3 * wanted ? AEGIS_YES : AEGIS_NO;
}

aegis_extent number(FactTable& table, std::int64_t n) { return {table.dim(Dim::of(n)), {AEGIS_NONE}, -1}; }

const aegis_attention* decomposed(FactTable& table, const AttentionCore& core) {
  auto* fact = table.make<aegis_attention>();
  const auto qk = gemm_shape(table, core.qk), pv = gemm_shape(table, core.pv);
  const auto lower = [&](const Extent& e) { return aegis_extent{table.dim(e.dim), handle(e.value), e.axis}; };
  // [batch, heads, length, head_dim]; with rank 3 heads and batch are one axis.
  const auto& q = table.types().of(core.q);
  fact->heads = q.rank() >= 4 ? table.extent(core.q, q.rank() - 3) : lower(qk->batch);
  fact->kv_heads = q.rank() >= 4 ? table.extent(core.k, table.types().of(core.k).rank() - 3) : fact->heads;
  fact->head_dim = lower(qk->k);
  fact->query_len = lower(qk->m);
  fact->key_len = lower(qk->n);
  fact->value_dim = lower(pv->n);
  fact->q = handle(core.q);
  fact->k = handle(core.k);
  fact->v = handle(core.v);
  fact->y = handle(core.y);
  fact->core = handle(core.softmax);
  fact->nodes = table.nodes(core.nodes);
  fact->scale = core.scale.value_or(unknown);
  fact->scale_is_default = is_default(fact->scale, fact->head_dim.dim);
  fact->compute = compute_as(table, q.dtype);
  if (qk->n.dim.known() && qk->n.dim.origin == Dim::Origin::fixed) fact->flags |= AEGIS_ATTENTION_KEY_STATIC;
  return fact;
}

// Attention of ai.onnx, and the MultiHeadAttention and GroupQueryAttention of com.microsoft: one node.
const aegis_attention* fused(FactTable& table, const Node& node) {
  const bool standard = node.op == "Attention" && node.domain.empty();
  const bool multi = node.op == "MultiHeadAttention" && node.domain == "com.microsoft";
  const bool grouped = node.op == "GroupQueryAttention" && node.domain == "com.microsoft";
  if ((!standard && !multi && !grouped) || node.inputs.size() < 3 || node.outputs.empty()) return nullptr;
  const ValueId q = node.inputs[0], k = node.inputs[1], v = node.inputs[2];
  if (q == ValueId::none || k == ValueId::none || v == ValueId::none) return nullptr;
  const int rank = table.types().of(q).rank();
  if (rank != 3 && rank != 4) return nullptr;
  auto* fact = table.make<aegis_attention>();
  fact->flags = AEGIS_ATTENTION_FUSED;
  fact->q = handle(q);
  fact->k = handle(k);
  fact->v = handle(v);
  fact->y = handle(node.outputs[0]);
  const auto named = attribute(node, standard ? "q_num_heads" : "num_heads", std::int64_t{0});
  const auto kv_named = attribute(node, "kv_num_heads", named);
  if (rank == 4) {
    fact->heads = table.extent(q, 1);
    fact->kv_heads = table.extent(k, 1);
    fact->query_len = table.extent(q, 2);
    fact->key_len = table.extent(k, 2);
    fact->head_dim = table.extent(q, 3);
    fact->value_dim = table.extent(v, 3);
  } else {
    if (named <= 0 || kv_named <= 0) return nullptr;
    const auto each = [&](ValueId value, std::int64_t heads) {
      aegis_extent e = table.extent(value, 2);
      if (e.dim.kind == AEGIS_DIM_VALUE) e.dim.value /= heads;
      e.axis = -1;
      return e;
    };
    fact->heads = number(table, named);
    fact->kv_heads = number(table, kv_named);
    fact->query_len = table.extent(q, 1);
    fact->key_len = table.extent(k, 1);
    fact->head_dim = each(q, named);
    fact->value_dim = each(v, kv_named);
  }
  if (attribute(node, standard ? "is_causal" : "unidirectional", std::int64_t{grouped ? 1 : 0}) != 0)
    fact->flags |= AEGIS_ATTENTION_CAUSAL;
  if (fact->key_len.dim.kind == AEGIS_DIM_VALUE && fact->key_len.dim.origin == AEGIS_DIM_STATIC)
    fact->flags |= AEGIS_ATTENTION_KEY_STATIC;
  const float scale = attribute(node, "scale", 0.0f);
  const auto& head = fact->head_dim.dim;
  fact->scale = scale != 0                     ? static_cast<double>(scale)
                : head.kind == AEGIS_DIM_VALUE ? 1 / std::sqrt(static_cast<double>(head.value))
                                               : unknown;
  fact->scale_is_default = scale == 0 ? aegis_answer{AEGIS_YES} : is_default(fact->scale, head);
  fact->core = handle(node.id);
  const NodeId self[] = {node.id};
  fact->nodes = table.nodes(self);
  fact->compute = compute_as(table, table.types().of(q).dtype);
  return fact;
}

const void* of_node(FactTable& table, NodeId id, aegis_absence&) {
  const AttentionCore* core = table.analysis<AttentionCores>().of(id);
  if (!core) return fused(table, table.model().node(id));
  return core->softmax == id ? decomposed(table, *core) : table.get<aegis_attention>(core->softmax);
}

}  // namespace

AEGIS_FACT(attention) = {.id = AEGIS_FACT_ATTENTION, .of_node = of_node};
