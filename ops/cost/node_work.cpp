#include "ops/cost/node_work.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/attribute.hpp"
#include "ops/cost/formulas.hpp"
#include "ops/graph/structure.hpp"

namespace aegis {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

double number(const aegis_dim& dim) { return dim.kind == AEGIS_DIM_VALUE ? static_cast<double>(dim.value) : unknown; }
double number(const aegis_extent& extent) { return number(extent.dim); }

struct Worker {
  FactTable& table;
  const Node& node;
  Retype retype;
  const Model& model = table.model();
  const Structure& structure = table.analysis<Structure>();

  double bytes_of(ValueId value) const { return value_bytes(table, value, retype); }
  double elements_of(ValueId value) const {
    if (value == ValueId::none) return 0;
    const auto n = structure.elements(value);
    return n ? static_cast<double>(*n) : unknown;
  }
  double input_elements(std::size_t slot) const {
    return slot < node.inputs.size() ? elements_of(node.inputs[slot]) : 0;
  }
  double output_elements() const { return node.outputs.empty() ? 0 : elements_of(node.outputs[0]); }

  void move_operands(NodeWork& work) const {
    for (std::size_t slot = 0; slot < node.inputs.size(); ++slot) {
      const double bytes = read_bytes(table, node, slot, retype);
      work.bytes += bytes;
      if (structure.constant(node.inputs[slot])) work.weight_bytes += bytes;
    }
    for (const ValueId out : node.outputs)
      if (out != ValueId::none && !(model.value(out).uses.empty() && out != node.outputs[0]))
        work.bytes += bytes_of(out);
  }

  void product(NodeWork& work, Compute compute, double flops) const {
    work.product = true;
    work.compute = retype.compute ? retype.compute : compute;
    work.flops = flops;
  }

  bool gemm(NodeWork& work) const {
    const auto* g = table.get<aegis_gemm>(node.id);
    if (!g) return false;
    const double m = number(g->m), n = number(g->n), k = number(g->k), batch = number(g->batch);
    product(work, g->compute, 2 * batch * m * n * k);
    work.e_align = align_efficiency(table, node.id, work.compute);
    if (!std::isnan(work.flops))
      work.e_quant = count_waves(g->batch.dim.value, g->m.dim.value, g->n.dim.value, table.target()).e_quant;
    return true;
  }

  bool conv(NodeWork& work) const {
    const auto* c = table.get<aegis_conv>(node.id);
    if (!c) return false;
    product(work, c->compute, 2 * static_cast<double>(c->group) * number(c->m) * number(c->n) * number(c->k));
    if (c->flags & AEGIS_CONV_DEPTHWISE) work.compute = AEGIS_DTYPE_FLOAT;  // no Tensor Core path
    if (c->flags & AEGIS_CONV_NHWC) work.e_align = align_efficiency(table, node.id, work.compute);
    if (!std::isnan(work.flops)) work.e_quant = count_waves(c->group, c->m.value, c->n.value, table.target()).e_quant;
    return true;
  }

  bool rnn(NodeWork& work) const {
    const auto* r = table.get<aegis_rnn>(node.id);
    if (!r) return false;
    const double t = number(r->steps), b = number(r->batch), i = number(r->input), h = number(r->hidden);
    const double d = r->directions, g = r->gates;
    product(work, r->compute, 2 * t * b * d * g * h * (i + h));
    const double s = bytes_as(table, table.types().of(node.inputs[0]).dtype, retype);
    work.extra_bytes = s * std::max(0.0, t - 1) * d * g * h * h;
    return true;
  }

  bool attention(NodeWork& work) const {
    const auto* a = table.get<aegis_attention>(node.id);
    if (!a || !(a->flags & AEGIS_ATTENTION_FUSED)) return false;
    const double q = elements_of(node.inputs[0]), head = number(a->head_dim);
    const double keys = number(a->key_len), scores = q / head * keys;  // batch * heads * query length * keys
    product(work, a->compute, 2 * scores * (head + number(a->value_dim)));
    const double s = bytes_as(table, table.types().of(node.inputs[0]).dtype, retype);
    work.extra_bytes = 4 * s * scores;
    return true;
  }

  double window() const {
    const auto kernel = attribute_ints(node, "kernel_shape");
    double size = 1;
    if (!kernel) return unknown;
    for (const std::int64_t extent : *kernel) size *= static_cast<double>(extent);
    return size;
  }

  double plain_flops(const CostRow& row) const {
    switch (row.kind) {
      case CostClass::elementwise:
      case CostClass::normalise: return row.flops * output_elements();
      case CostClass::reduction: return row.flops * input_elements(0);
      case CostClass::pool: return row.flops * window() * output_elements();
      default: return 0;
    }
  }

  NodeWork run() const {
    NodeWork work;
    const NodeRole role = structure.role(node.id);
    if (role == NodeRole::control || role == NodeRole::constant || role == NodeRole::host || role == NodeRole::view)
      return work;
    work.kernel = true;
    const Op* op = structure.op(node.id);
    const bool counted = gemm(work) || conv(work) || rnn(work) || attention(work);
    if (!counted) {
      const CostClass kind = op ? op->cost.kind : CostClass::unknown;
      if (kind == CostClass::unknown || kind == CostClass::control) return refuse(AEGIS_UNKNOWN_OP);
      if (kind == CostClass::gemm || kind == CostClass::conv) return refuse(AEGIS_UNKNOWN_DIM);
      work.flops = plain_flops(op->cost);
      const ValueId first = node.outputs.empty() ? ValueId::none : node.outputs[0];
      work.compute = first == ValueId::none ? 0 : compute_as(table, table.types().of(first).dtype, retype);
    }
    move_operands(work);
    if (std::isnan(work.flops + work.bytes + work.extra_bytes)) return refuse(AEGIS_UNKNOWN_DIM);
    return work;
  }

  NodeWork refuse(aegis_absence why) const {
    NodeWork work;
    work.kernel = true;
    work.why = structure.failed(node.id) ? aegis_absence{AEGIS_INFERENCE_FAILED} : why;
    for (const auto* list : {&node.inputs, &node.outputs})
      for (const ValueId value : *list)
        if (work.waits == ValueId::none && value != ValueId::none && !structure.elements(value)) work.waits = value;
    return work;
  }
};

bool sliced(const Node& node) {
  const Op* op = find_op(node.domain, node.op);
  return op && op->cost.kind == CostClass::take;
}

}  // namespace

double read_bytes(FactTable& table, const Node& node, std::size_t slot, Retype retype) {
  const ValueId value = slot < node.inputs.size() ? node.inputs[slot] : ValueId::none;
  if (value == ValueId::none) return 0;
  const auto& structure = table.analysis<Structure>();
  if (slot > 0) {
    // Axes, shapes, starts: a few integers that are known on the host.
    const auto& type = table.types().of(value);
    const bool integers = type.dtype == DType::i64 || type.dtype == DType::i32;
    if (integers && type.rank() <= 1 && (structure.constant(value) || structure.host(value)) && !sliced(node)) return 0;
    if (node.op == "Slice" && node.domain.empty()) return 0;
  }
  if (slot == 0 && sliced(node) && !node.outputs.empty()) return value_bytes(table, node.outputs[0], retype);
  return value_bytes(table, value, retype);
}

double align_efficiency(FactTable& table, NodeId node, Compute compute, bool pessimistic) {
  const Target& target = table.target();
  if (target.alignment(compute).kind == AEGIS_ALIGN_NONE) return 1;
  const double each = storage_bytes(compute);
  double worst = 1;
  const auto meet = [&](const aegis_dim& dim) {
    if (dim.kind != AEGIS_DIM_VALUE) return;
    worst = std::min(worst, pessimistic ? pessimistic_efficiency(dim.value, each, target.cc)
                                        : alignment_efficiency(dim.value, each, target.cc));
  };
  if (const auto* g = table.get<aegis_gemm>(node)) {
    if (g->align & AEGIS_M) meet(g->m.dim);
    if (g->align & AEGIS_N) meet(g->n.dim);
    if (g->align & AEGIS_K) meet(g->k.dim);
  } else if (const auto* c = table.get<aegis_conv>(node)) {
    for (aegis_dim dim : {c->ci.dim, c->co.dim}) {
      dim.value /= c->group;
      meet(dim);
    }
  }
  return worst;
}

NodeWork node_work(FactTable& table, NodeId node, Retype retype) {
  return Worker{table, table.model().node(node), retype}.run();
}

}  // namespace aegis
