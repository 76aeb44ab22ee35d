#include "ops/cost/as.hpp"
#include "ops/cost/gemm_shape.hpp"
#include "ops/fact.hpp"
#include "ops/graph/attention.hpp"
#include "ops/graph/structure.hpp"

using namespace aegis;

namespace {

aegis_extent lower(FactTable& table, const Extent& extent) {
  return {table.dim(extent.dim), handle(extent.value), extent.axis};
}

bool sized(const Dim& dim) { return dim.at_least(16) != Answer::no; }

// One token a run: the keys and values of the tokens before come in as inputs.
bool decodes(const Model& model) {
  for (const ValueId input : model.main().inputs)
    if (model.value(input).name.starts_with("past_")) return true;
  return false;
}

const void* of_node(FactTable& table, NodeId id, aegis_absence& why) {
  const Node& node = table.model().node(id);
  if (!is_gemm(node)) return nullptr;
  const auto g = gemm_shape(table, id);
  if (!g) return why = AEGIS_UNKNOWN_DIM, nullptr;
  const auto& structure = table.analysis<Structure>();
  const auto type = [&](ValueId v) { return v == ValueId::none ? DType::undefined : table.types().of(v).dtype; };
  auto* fact = table.make<aegis_gemm>();
  fact->m = lower(table, g->m);
  fact->n = lower(table, g->n);
  fact->k = lower(table, g->k);
  fact->batch = lower(table, g->batch);
  fact->a = handle(g->a);
  fact->b = handle(g->b);
  fact->c = handle(g->c);
  fact->y = handle(g->y);
  fact->a_type = compute_of(type(g->a));
  fact->b_type = compute_of(type(g->b));
  fact->y_type = compute_of(type(g->y));
  fact->compute = g->quantised != DType::undefined ? compute_of(g->quantised) : compute_as(table, type(g->a));
  if (fact->compute == AEGIS_DTYPE_UINT8) fact->compute = AEGIS_DTYPE_INT8;
  if (g->m_contiguous) fact->align |= AEGIS_M;
  if (g->n_contiguous) fact->align |= AEGIS_N;
  if (g->k_contiguous) fact->align |= AEGIS_K;
  fact->transpose = handle(g->transpose);
  fact->block = g->block;
  const AttentionCore* core = table.analysis<AttentionCores>().of(id);
  fact->core = handle(core ? core->softmax : NodeId::none);
  const auto set = [&](bool on, unsigned flag) { fact->flags |= on ? flag : 0u; };
  set(structure.constant(g->a), AEGIS_GEMM_A_WEIGHT);
  set(structure.constant(g->b), AEGIS_GEMM_B_WEIGHT);
  set(g->trans_a, AEGIS_GEMM_TRANS_A);
  set(g->trans_b, AEGIS_GEMM_TRANS_B);
  set(g->transpose != NodeId::none, AEGIS_GEMM_FOLDED_TRANSPOSE);
  set(decodes(table.model()), AEGIS_GEMM_DECODE);
  set(sized(g->m.dim) && sized(g->n.dim) && sized(g->k.dim), AEGIS_GEMM_SIZED);
  set(g->repeated_label, AEGIS_GEMM_REPEATED_LABEL);
  set(fact->compute == AEGIS_DTYPE_FLOAT, AEGIS_GEMM_STRICT_FP32);
  return fact;
}

}  // namespace

AEGIS_FACT(gemm) = {.id = AEGIS_FACT_GEMM, .of_node = of_node};
