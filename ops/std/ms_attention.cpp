// com.microsoft.Attention: one product makes queries, keys and values.

#include "ops/lower.hpp"
#include "ops/lowering/attention.hpp"
#include "ops/lowering/matmul.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const Dims &x = l.dims(l.in(0)), &w = l.dims(l.in(1));
  if (x.size() != 3 || w.size() != 2 || x[2] != w[0]) return l.reject("the weights do not fit the input");
  if (attribute(l.node(), "do_rotary", std::int64_t{0}) != 0 || l.has(6)) return l.reject("this form is not handled");
  const std::int64_t heads = attribute(l.node(), "num_heads", std::int64_t{0}), batch = x[0], queries = x[1];
  const auto sizes = attribute_ints(l.node(), "qkv_hidden_sizes").value_or(Dims{w[1] / 3, w[1] / 3, w[1] / 3});
  if (sizes.size() != 3 || heads < 1 || sizes[0] != sizes[1] || sizes[0] + sizes[1] + sizes[2] != w[1] ||
      sizes[0] % heads != 0 || sizes[2] % heads != 0)
    return l.reject("the weights do not divide into the heads");
  const DType between = storage_type(compute_type(l.type(l.in(0))));
  SlotId all = l.temp(between, {batch, queries, w[1]});
  lower_matmul(l, l.in(0), l.in(1), all);
  if (l.has(2)) {
    const SlotId shifted = l.temp(between, l.dims(all));
    l.map(Fn::add, {all, l.in(2)}, shifted);
    all = shifted;
  }
  std::int64_t from = 0;
  const auto part = [&](std::size_t which) {
    const SlotId slot = l.temp(between, {batch, queries, sizes[which]});
    const std::int64_t start[] = {0, 0, from}, step[] = {1, 1, 1};
    l.take(all, slot, start, step);
    from += sizes[which];
    return split_heads(l, slot, heads);
  };
  const SlotId q = part(0), k_now = part(1), v_now = part(2);
  std::int64_t before = 0;
  SlotId k = k_now, v = v_now;
  const SlotId past = l.in(4), present = l.out(1);
  if (past != no_slot || present != no_slot) {
    if (sizes[0] != sizes[2]) return l.reject("a past needs keys and values of one size");
    if (past != no_slot && (l.rank(past) != 5 || l.dims(past)[0] != 2))
      return l.reject("the past must be [2, batch, heads, length, size]");
    const Dims each = past == no_slot ? Dims{} : Dims(l.dims(past).begin() + 1, l.dims(past).end());
    if (past != no_slot) before = each[2];
    const SlotId both = l.temp(l.type(l.in(0)), {2, batch, heads, before + queries, sizes[0] / heads});
    const auto joined = [&](SlotId now, std::int64_t which) {
      SlotId earlier = no_slot;
      if (past != no_slot) {
        Dims one = each;
        one.insert(one.begin(), 1);
        const SlotId slot = l.temp(l.type(past), one);
        const Dims start{which, 0, 0, 0, 0}, step(5, 1);
        l.take(past, slot, start, step);
        earlier = l.view(slot, each);
      }
      const SlotId rounded = l.temp(l.type(l.in(0)), l.dims(now));
      l.map(Fn::identity, {now}, rounded);
      const SlotId whole = after_past(l, earlier, rounded, no_slot);
      Dims one = l.dims(whole);
      one.insert(one.begin(), 1);
      const Dims at{which, 0, 0, 0, 0};
      l.place(l.view(whole, one), both, at);
      return whole;
    };
    k = joined(k_now, 0);
    v = joined(v_now, 1);
    if (l.failed()) return;
    l.resolve(present, l.type(l.in(0)), l.dims(both));
    if (present != no_slot) l.alias(both, present);
  }
  const std::int64_t keys = before + queries;
  const double filter = static_cast<double>(attribute(l.node(), "mask_filter_value", -10000.0f));
  Scores scores{.scale = score_scale(l, sizes[0] / heads), .biases = {}};
  if (l.has(3)) scores.biases.push_back(padding_bias(l, l.in(3), {batch, queries, keys}, filter, true));
  if (attribute(l.node(), "unidirectional", std::int64_t{0}) != 0)
    scores.biases.push_back(mask_bias(l, causal(l, queries, keys, before), filter));
  if (l.has(5)) scores.biases.push_back(l.in(5));
  const SlotId mixed = attend(l, q, k, v, scores);
  if (l.failed()) return;
  l.resolve(l.out(), l.type(l.in(0)), {batch, queries, sizes[2]});
  merge_heads(l, mixed, l.out());
}

}  // namespace

AEGIS_OP(ms_attention) = {
    .name = "Attention",
    .domain = "com.microsoft",
    .cost = {.kind = CostClass::unknown},
    .pad = PadRow::unknown,
    .risk = Risk::gemm,
    .lower = lower_node,
};
