// Alignment of the contiguous dims, and the query that predicts what padding would win: t(before) / t(after) by the
// time model in regime fused, with the padded sizes in `after`.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "ops/cost/formulas.hpp"
#include "ops/cost/node_work.hpp"
#include "ops/fact.hpp"

using namespace aegis;

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct Part {
  std::uint32_t bit = 0;
  aegis_extent extent{};
  Dim dim;  // of one group, for convolutions
  std::int64_t groups = 1;
};

// A product with its dims, whatever the node is.
struct Product {
  std::array<Part, 4> parts;  // M, N, K or CI, CO
  std::size_t count = 0;
  std::uint32_t contiguous = 0;
  Compute compute = 0;
  bool nchw = false;

  void add(FactTable& table, std::uint32_t bit, const aegis_extent& extent, std::int64_t groups = 1) {
    Dim dim = table.dim(extent.dim);
    if (groups > 1 && dim.known()) dim.extent /= groups;
    parts[count++] = {bit, extent, dim, groups};
  }
};

std::optional<Product> product_of(FactTable& table, NodeId id, aegis_absence& why) {
  Product p;
  if (const auto* g = table.get<aegis_gemm>(id, &why)) {
    p.add(table, AEGIS_M, g->m);
    p.add(table, AEGIS_N, g->n);
    p.add(table, AEGIS_K, g->k);
    p.contiguous = g->align;
    p.compute = g->compute;
    return p;
  }
  if (why == AEGIS_UNKNOWN_DIM) return std::nullopt;
  if (const auto* c = table.get<aegis_conv>(id, &why)) {
    p.add(table, AEGIS_CI, c->ci, c->group);
    p.add(table, AEGIS_CO, c->co, c->group);
    p.contiguous = AEGIS_CI | AEGIS_CO;
    p.compute = c->compute;
    p.nchw = !(c->flags & AEGIS_CONV_NHWC);
    return p;
  }
  if (why == AEGIS_UNKNOWN_DIM) return std::nullopt;
  if (const auto* r = table.get<aegis_rnn>(id, &why)) {
    p.add(table, AEGIS_RNN_INPUT, r->input);
    p.add(table, AEGIS_HIDDEN, r->hidden);
    p.contiguous = AEGIS_RNN_INPUT | AEGIS_HIDDEN;
    p.compute = r->compute;
    return p;
  }
  if (why == AEGIS_UNKNOWN_DIM) return std::nullopt;
  const auto* a = table.get<aegis_attention>(id, &why);
  if (!a || !(a->flags & AEGIS_ATTENTION_FUSED)) return std::nullopt;
  p.add(table, AEGIS_HEAD, a->head_dim);
  p.add(table, AEGIS_KEYS, a->key_len);
  p.contiguous = AEGIS_HEAD | AEGIS_KEYS;
  p.compute = a->compute;
  return p;
}

const void* of_node(FactTable& table, NodeId id, aegis_absence& why) {
  const auto p = product_of(table, id, why);
  if (!p) return nullptr;
  const Target& target = table.target();
  if (!target.rate(p->compute) && p->compute != AEGIS_DTYPE_DOUBLE) return why = AEGIS_NO_RATE, nullptr;
  const Alignment wanted = target.alignment(p->compute);
  const double each = storage_bytes(p->compute);
  auto* fact = table.make<aegis_align>();
  fact->kind = wanted.kind;
  fact->tier1 = wanted.tier1;
  fact->tier2 = wanted.tier2;
  fact->dims = p->contiguous;
  fact->e_low = fact->e_now = fact->e_high = 1;
  fact->row_bytes = unknown;
  for (std::size_t i = 0; i < p->count; ++i) {
    const Part& part = p->parts[i];
    if (!(p->contiguous & part.bit)) continue;
    if (wanted.kind != AEGIS_ALIGN_NONE) {
      const Answer first = part.dim.divides(wanted.tier1), best = part.dim.divides(wanted.tier2);
      if (first == Answer::no) fact->off_tier1 |= part.bit;
      if (best == Answer::no) fact->off_tier2 |= part.bit;
      if (first == Answer::unknown || best == Answer::unknown) fact->maybe |= part.bit;
    }
    if (!part.dim.known()) continue;
    const double row = static_cast<double>(part.dim.extent) * each;
    fact->row_bytes = std::isnan(fact->row_bytes) ? row : std::min(fact->row_bytes, row);
    if (wanted.kind == AEGIS_ALIGN_NONE) continue;
    fact->e_now = std::min(fact->e_now, alignment_efficiency(part.dim.extent, each, target.cc));
    fact->e_low = std::min(fact->e_low, pessimistic_efficiency(part.dim.extent, each, target.cc));
  }
  if (fact->e_now == 1) fact->e_low = 1;
  if (p->nchw) fact->e_now = 1;  // the backends pad packed NCHW by themselves
  return fact;
}

// One side of the comparison.
struct Timing {
  double us = unknown, pessimistic_us = unknown, flops = unknown, e = 1;
};

// Scales the node's present work to new extents: FLOPs by every extent, each operand by the extents it has.
struct Predictor {
  FactTable& table;
  NodeId node;
  const Product& product;
  NodeWork work = node_work(table, node);

  Timing time(const std::array<double, 4>& extents) const {
    Timing t;
    const Target& target = table.target();
    const double each = storage_bytes(product.compute);
    t.e = 1;
    double low = 1, growth = 1;
    for (std::size_t i = 0; i < product.count; ++i) {
      const Part& part = product.parts[i];
      if (std::isnan(extents[i])) continue;
      if (part.dim.known() && part.dim.extent > 0) growth *= extents[i] / static_cast<double>(part.dim.extent);
      if (!(product.contiguous & part.bit)) continue;
      const auto extent = static_cast<std::int64_t>(extents[i]);
      t.e = std::min(t.e, alignment_efficiency(extent, each, target.cc));
      low = std::min(low, pessimistic_efficiency(extent, each, target.cc));
    }
    if (t.e == 1) low = 1;
    if (product.nchw) t.e = 1;
    if (!work.known()) return t;
    t.flops = work.flops * growth;
    const double memory = memory_us(bytes(extents), target), launch = target.launch_us_graph;
    t.us = std::max(arithmetic_us(t.flops, work.compute, t.e, target), memory) + launch;
    t.pessimistic_us = std::max(arithmetic_us(t.flops, work.compute, low, target), memory) + launch;
    return t;
  }

  double bytes(const std::array<double, 4>& extents) const {
    const auto ratio = [&](std::uint32_t bits) {
      double r = 1;
      for (std::size_t i = 0; i < product.count; ++i)
        if ((product.parts[i].bit & bits) && product.parts[i].dim.known() && product.parts[i].dim.extent > 0)
          r *= extents[i] / static_cast<double>(product.parts[i].dim.extent);
      return r;
    };
    if (const auto* g = table.get<aegis_gemm>(node)) {
      const double a = value_bytes(table, id_of(g->a)), b = value_bytes(table, id_of(g->b)),
                   y = value_bytes(table, id_of(g->y));
      return work.bytes - a - b - y + a * ratio(AEGIS_M | AEGIS_K) + b * ratio(AEGIS_K | AEGIS_N) +
             y * ratio(AEGIS_M | AEGIS_N);
    }
    if (const auto* c = table.get<aegis_conv>(node)) {
      const double x = value_bytes(table, id_of(c->x)), w = value_bytes(table, id_of(c->w)),
                   y = value_bytes(table, id_of(c->y));
      return work.bytes - x - w - y + x * ratio(AEGIS_CI) + w * ratio(AEGIS_CI | AEGIS_CO) + y * ratio(AEGIS_CO);
    }
    return work.bytes;
  }
};

double padded(double extent, std::int64_t multiple) {
  return std::ceil(extent / static_cast<double>(multiple)) * static_cast<double>(multiple);
}

// Published curve: 16-bit products of 1024 to 16384 on cc 8.x.
bool on_the_chart(const FactTable& table, const Product& product, const aegis_gemm* gemm) {
  if (!gemm || table.target().cc / 10 != 8) return false;
  if (product.compute != AEGIS_DTYPE_FLOAT16 && product.compute != AEGIS_DTYPE_BFLOAT16) return false;
  for (const aegis_extent& e : {gemm->m, gemm->n, gemm->k})
    if (e.dim.kind != AEGIS_DIM_VALUE || e.dim.value < 1024 || e.dim.value > 16384) return false;
  return true;
}

aegis_status pad(FactTable& table, const void* in_data, void* out_data) {
  const auto* in = static_cast<const aegis_pad_in*>(in_data);
  auto* out = static_cast<aegis_pad_out*>(out_data);
  if (in->struct_size < sizeof(aegis_pad_in) || out->struct_size < sizeof(std::uint32_t)) return AEGIS_INVALID;
  if (in->node.id >= table.model().nodes().size() || in->multiple < 0) return AEGIS_INVALID;
  aegis_absence why = AEGIS_NOT_APPLICABLE;
  const auto product = product_of(table, id_of(in->node), why);
  if (!product) return AEGIS_UNSUPPORTED;
  const Alignment wanted = table.target().alignment(product->compute);
  if (wanted.kind == AEGIS_ALIGN_NONE || !table.target().rate(product->compute)) return AEGIS_UNSUPPORTED;

  std::uint32_t dims = in->dims;
  if (in->extent.value.id != AEGIS_NONE && in->extent.dim.kind != 0) {
    for (std::size_t i = 0; i < product->count; ++i)
      if (product->parts[i].extent.value.id == in->extent.value.id && product->parts[i].extent.axis == in->extent.axis)
        dims = product->parts[i].bit;
  }
  std::array<double, 4> now{};
  const Part* first = nullptr;
  for (std::size_t i = 0; i < product->count; ++i) {
    const Part& part = product->parts[i];
    now[i] = part.dim.known() ? static_cast<double>(part.dim.extent) : unknown;
    if (!first && (dims & part.bit)) first = &part;
  }
  if (!first) return AEGIS_UNSUPPORTED;

  const Predictor predictor{table, id_of(in->node), *product};
  const Timing before = predictor.time(now);
  const auto after_with = [&](std::int64_t multiple) {
    auto then = now;
    for (std::size_t i = 0; i < product->count; ++i)
      if (dims & product->parts[i].bit) then[i] = padded(then[i], multiple);
    return predictor.time(then);
  };
  std::int64_t multiple = in->multiple > 0 ? in->multiple : wanted.tier1;
  if (in->best) {
    double fastest = std::numeric_limits<double>::infinity();
    for (std::int64_t m = wanted.tier1; m <= wanted.tier2; m *= 2)
      if (const double us = after_with(m).us; us < fastest) fastest = us;
    for (std::int64_t m = wanted.tier1; m <= wanted.tier2; m *= 2)
      if (after_with(m).us <= 1.03 * fastest) {
        multiple = m;
        break;
      }
  }
  const Timing after = after_with(multiple);
  aegis_pad_out answer{};
  answer.struct_size = out->struct_size;
  answer.multiple = multiple;
  answer.padded =
      first->dim.known()
          ? first->groups * static_cast<std::int64_t>(padded(static_cast<double>(first->dim.extent), multiple))
          : -1;
  answer.e_now = before.e;
  answer.e_after = after.e;
  // A library that refuses the shape has no time before.
  const bool measurable = wanted.kind == AEGIS_ALIGN_SOFT;
  answer.low = measurable ? 1 : unknown;
  answer.point = measurable ? before.us / after.us : unknown;
  answer.high = measurable ? std::max(answer.point, before.pessimistic_us / after.us) : unknown;
  if (answer.point < 1) answer.low = answer.point;
  answer.flops_percent = 100 * (after.flops / before.flops - 1);
  answer.confidence = std::isnan(answer.point)                                                ? AEGIS_CONFIDENCE_NONE
                      : on_the_chart(table, *product, table.get<aegis_gemm>(id_of(in->node))) ? AEGIS_CONFIDENCE_MEDIUM
                                                                                              : AEGIS_CONFIDENCE_LOW;
  std::memcpy(out, &answer, std::min<std::size_t>(out->struct_size, sizeof answer));
  return AEGIS_OK;
}

}  // namespace

AEGIS_FACT(align) = {.id = AEGIS_FACT_ALIGN, .of_node = of_node, .query_id = AEGIS_QUERY_PAD, .query = pad};
