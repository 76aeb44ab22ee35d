#include "ops/lowering/attention.hpp"

#include <cmath>

namespace aegis {

SlotId split_heads(Lowering& l, SlotId x, std::int64_t heads) {
  const Dims& dims = l.dims(x);
  if (dims.size() != 3 || heads < 1 || dims[2] % heads != 0) {
    l.reject("an operand must be [batch, length, width] with a width that the heads divide");
    return x;
  }
  const SlotId apart = l.view(x, {dims[0], dims[1], heads, dims[2] / heads}),
               split = l.temp(l.type(x), {dims[0], heads, dims[1], dims[2] / heads});
  const std::int64_t order[] = {0, 2, 1, 3};
  l.transpose(apart, split, order);
  return split;
}

void merge_heads(Lowering& l, SlotId x, SlotId out) {
  const Dims& dims = l.dims(x);
  const SlotId rounded = l.temp(l.type(out), dims),
               together = l.temp(l.type(out), {dims[0], dims[2], dims[1], dims[3]});
  l.map(Fn::identity, {x}, rounded);
  const std::int64_t order[] = {0, 2, 1, 3};
  l.transpose(rounded, together, order);
  l.alias(together, out);
}

SlotId after_past(Lowering& l, SlotId past, SlotId now, SlotId out) {
  if (past == no_slot) {
    if (out == no_slot) return now;
    l.alias(now, out);
    return out;
  }
  Dims dims = l.dims(now);
  if (l.rank(past) != 4 || dims.size() != 4) {
    l.reject("the past must be [batch, heads, length, size]");
    return now;
  }
  const std::int64_t before = l.dims(past)[2];
  dims[2] += before;
  if (out == no_slot) out = l.temp(l.type(now), dims);
  const std::int64_t first[] = {0, 0, 0, 0}, next[] = {0, 0, before, 0};
  l.place(past, out, first);
  l.place(now, out, next);
  return out;
}

SlotId causal(Lowering& l, std::int64_t rows, std::int64_t columns, std::int64_t past) {
  const SlotId keep = l.temp(DType::boolean, {rows, columns});
  l.map(Fn::less_equal, {l.iota(0, {1, columns}), l.iota(past, {rows, 1})}, keep);
  return keep;
}

SlotId mask_bias(Lowering& l, SlotId keep, double filter) {
  const SlotId bias = l.temp(DType::f32, l.dims(keep));
  l.map(Fn::where, {keep, l.scalar(DType::f32, 0), l.scalar(DType::f32, filter)}, bias);
  return bias;
}

SlotId padding_bias(Lowering& l, SlotId mask, const Attended& of, double filter, bool starts) {
  const auto [batch, queries, keys] = of;
  const Dims& dims = l.dims(mask);
  if (dims == Dims{batch} || (starts && dims == Dims{2 * batch})) {
    const SlotId positions = l.iota(0, {keys}), keep = l.temp(DType::boolean, {batch, 1, 1, keys});
    const auto bound = [&](std::int64_t first) {
      const SlotId part = l.temp(l.type(mask), {batch});
      const std::int64_t start[] = {first}, step[] = {1};
      l.take(mask, part, start, step);
      return l.view(part, {batch, 1, 1, 1});
    };
    l.map(Fn::less, {positions, bound(0)}, keep);
    if (dims[0] == batch) return mask_bias(l, keep, filter);
    const SlotId later = l.temp(DType::boolean, l.dims(keep)), both = l.temp(DType::boolean, l.dims(keep));
    l.map(Fn::greater_equal, {positions, bound(batch)}, later);
    l.map(Fn::logical_and, {keep, later}, both);
    return mask_bias(l, both, filter);
  }
  const bool by_query = dims == Dims{batch, queries, keys};
  if (!by_query && dims != Dims{batch, keys}) {
    l.reject(starts ? "the mask must be [batch], [2 * batch], [batch, keys] or [batch, queries, keys]"
                    : "the padding mask must be [batch], [batch, keys] or [batch, queries, keys]");
    return mask;
  }
  const SlotId keep = l.temp(DType::boolean, {batch, 1, by_query ? queries : 1, keys});
  l.map(Fn::greater, {l.view(mask, l.dims(keep)), l.scalar(l.type(mask), 0)}, keep);
  return mask_bias(l, keep, filter);
}

double score_scale(const Lowering& l, std::int64_t size) {
  const double given = static_cast<double>(attribute(l.node(), "scale", 0.0f));
  return given != 0 ? given : 1 / std::sqrt(static_cast<double>(size));
}

SlotId attend(Lowering& l, SlotId q, SlotId k, SlotId v, const Scores& scores) {
  const Dims &dq = l.dims(q), &dk = l.dims(k), &dv = l.dims(v);
  if (dq.size() != 4 || dk.size() != 4 || dv.size() != 4 || dk[0] != dq[0] || dv[0] != dq[0] || dk[1] < 1 ||
      dq[1] % dk[1] != 0 || dv[1] != dk[1] || dv[2] != dk[2] || dk[3] != dq[3]) {
    l.reject("queries, keys and values do not fit each other");
    return q;
  }
  const DType between = storage_type(compute_type(l.type(q)));
  const std::int64_t batch = dq[0], heads = dq[1], queries = dq[2], size = dq[3], keys = dk[2], width = dv[3];
  const Dims table{batch, heads, queries, keys};
  // Batch axes: batch, key heads, heads that share a key head.
  GemmParams product{.m = queries, .n = keys, .k = size, .trans_b = true, .alpha = scores.scale, .batch_rank = 3};
  const std::int64_t shared = heads / dk[1];
  product.batch = {batch, dk[1], shared};
  product.a_stride = {heads * queries * size, shared * queries * size, queries * size};
  product.b_stride = {dk[1] * keys * size, keys * size, 0};
  SlotId now = l.temp(between, table);
  l.emit(product, {q, k}, {now});
  const auto next = [&](Fn fn, std::initializer_list<SlotId> in) {
    const SlotId slot = l.temp(between, table);
    l.map(fn, in, slot);
    return slot;
  };
  if (scores.softcap > 0) {
    const SlotId cap = l.scalar(between, scores.softcap);
    now = next(Fn::mul, {next(Fn::tanh, {next(Fn::div, {now, cap})}), cap});
  }
  for (const SlotId bias : scores.biases) now = next(Fn::add, {now, bias});
  const SlotId shares = l.temp(between, table);
  l.emit(RowNormParams{.outer = batch * heads * queries, .length = keys}, {now}, {shares});
  GemmParams mix{.m = queries, .n = width, .k = keys, .batch_rank = 3};
  mix.batch = product.batch;
  mix.a_stride = {heads * queries * keys, shared * queries * keys, queries * keys};
  mix.b_stride = {dk[1] * keys * width, keys * width, 0};
  const SlotId mixed = l.temp(between, {batch, heads, queries, width});
  l.emit(mix, {shares, v}, {mixed});
  return mixed;
}

}  // namespace aegis
