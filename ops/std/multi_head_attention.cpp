// com.microsoft.MultiHeadAttention: queries, keys and values are given.

#include "ops/lower.hpp"
#include "ops/lowering/attention.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const std::int64_t heads = attribute(l.node(), "num_heads", std::int64_t{0});
  if (!l.has(1) || !l.has(2) || l.rank(l.in(0)) != 3)
    return l.reject("packed queries, keys and values are not handled");
  if (l.has(8) || l.has(9) || l.has_output(3)) return l.reject("this form is not handled");
  const DType type = l.type(l.in(0));
  const std::int64_t batch = l.dims(l.in(0))[0], queries = l.dims(l.in(0))[1], width = l.dims(l.in(0))[2];
  std::int64_t bias_from = 0;
  // An operand with its part of the bias, by heads; keys and values may come by heads already.
  const auto operand = [&](std::size_t input) {
    SlotId x = l.in(input);
    if (l.rank(x) == 4) return x;
    if (l.has(3)) {
      const std::int64_t columns = l.dims(x).back();
      const SlotId bias = l.temp(l.type(l.in(3)), {columns}), shifted = l.temp(type, l.dims(x));
      if (bias_from + columns > l.elements(l.in(3))) l.reject("the bias is shorter than the operands");
      if (l.failed()) return x;
      const std::int64_t start[] = {bias_from}, step[] = {1};
      l.take(l.in(3), bias, start, step);
      l.map(Fn::add, {x, bias}, shifted);
      bias_from += columns;
      x = shifted;
    }
    return split_heads(l, x, heads);
  };
  const SlotId q = operand(0), k_now = operand(1), v_now = operand(2);
  if (l.failed()) return;
  const auto resolve = [&](std::size_t output, SlotId now, SlotId past) {
    Dims dims = l.dims(now);
    if (past != no_slot && l.rank(past) == 4) dims[2] += l.dims(past)[2];
    l.resolve(l.out(output), type, dims);
  };
  resolve(1, k_now, l.in(6));
  resolve(2, v_now, l.in(7));
  const SlotId k = after_past(l, l.in(6), k_now, l.out(1)), v = after_past(l, l.in(7), v_now, l.out(2));
  if (l.failed()) return;
  const std::int64_t keys = l.dims(k)[2], before = l.has(6) ? l.dims(l.in(6))[2] : 0;
  const double filter = static_cast<double>(attribute(l.node(), "mask_filter_value", -10000.0f));
  Scores scores{.scale = score_scale(l, width / heads), .biases = {}};
  if (l.has(4)) scores.biases.push_back(padding_bias(l, l.in(4), {batch, queries, keys}, filter, false));
  if (l.has(5)) scores.biases.push_back(l.in(5));
  if (attribute(l.node(), "unidirectional", std::int64_t{0}) != 0)
    scores.biases.push_back(mask_bias(l, causal(l, queries, keys, before), filter));
  const SlotId mixed = attend(l, q, k, v, scores);
  if (l.failed()) return;
  l.resolve(l.out(), type, {batch, queries, heads * l.dims(v)[3]});
  merge_heads(l, mixed, l.out());
}

}  // namespace

AEGIS_OP(multi_head_attention) = {
    .name = "MultiHeadAttention",
    .domain = "com.microsoft",
    .cost = {.kind = CostClass::unknown},
    .pad = PadRow::unknown,
    .risk = Risk::gemm,
    .lower = lower_node,
};
