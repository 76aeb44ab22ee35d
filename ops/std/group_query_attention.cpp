// com.microsoft.GroupQueryAttention: causal, over a cache whose filled length each sequence states.

#include <algorithm>
#include <limits>

#include "ops/lower.hpp"
#include "ops/lowering/attention.hpp"

using namespace aegis;

namespace {

void lower_node(Lowering& l) {
  const Node& node = l.node();
  const std::int64_t heads = attribute(node, "num_heads", std::int64_t{0}),
                     key_heads = attribute(node, "kv_num_heads", std::int64_t{0});
  if (!l.has(1) || !l.has(2)) return l.reject("packed queries, keys and values are not handled");
  if (attribute(node, "do_rotary", std::int64_t{0}) != 0) return l.reject("rotary positions inside are not handled");
  if (attribute(node, "smooth_softmax", std::int64_t{0}) != 0) return l.reject("smooth_softmax is not handled");
  for (std::size_t input = 9; input < l.inputs(); ++input)
    if (l.has(input) && input != 10) return l.reject("position ids, sinks and scales of a cache are not handled");
  const auto last = l.integers(5), total = l.integers(6);
  if (!last || !total) return;
  const DType type = l.type(l.in(0));
  const SlotId q = split_heads(l, l.in(0), heads), k_now = split_heads(l, l.in(1), key_heads),
               v_now = split_heads(l, l.in(2), key_heads);
  if (l.failed()) return;
  const std::int64_t batch = l.dims(q)[0], queries = l.dims(q)[2], size = l.dims(q)[3];
  if (last->size() != static_cast<std::size_t>(batch) || total->size() != 1)
    return l.reject("seqlens_k must have one element for each sequence, total_sequence_length one");
  const std::int64_t cached = l.has(3) && l.rank(l.in(3)) == 4 ? l.dims(l.in(3))[2] : 0;
  const std::int64_t keys = std::max(cached, (*total)[0]);
  const Dims present{batch, key_heads, keys, size};
  std::vector<std::int64_t> filled;
  for (const std::int64_t end : *last) {
    filled.push_back(std::max<std::int64_t>(end + 1 - queries, 0));
    if (filled.back() > cached || filled.back() + queries > keys)
      return l.reject("seqlens_k does not fit the past and the new keys");
  }
  const auto cache = [&](std::size_t input, std::size_t output, SlotId now) {
    l.resolve(l.out(output), type, present);
    const SlotId whole = l.has_output(output) ? l.out(output) : l.temp(type, present);
    if (l.dims(whole) != present) l.reject("the present cache has other extents than the past and the new keys give");
    l.fill(l.scalar(type, 0), whole);
    const Dims step(4, 1);
    for (std::int64_t b = 0; b < batch; ++b) {
      const std::int64_t before = filled[static_cast<std::size_t>(b)];
      const Dims start{b, 0, 0, 0};
      const auto copy = [&](SlotId from, std::int64_t length, std::int64_t at) {
        if (length == 0) return;
        const SlotId part = l.temp(type, {1, key_heads, length, size});
        l.take(from, part, start, step);
        const Dims to{b, 0, at, 0};
        l.place(part, whole, to);
      };
      copy(l.in(input), before, 0);
      copy(now, queries, before);
    }
    return whole;
  };
  const SlotId k = cache(3, 1, k_now), v = cache(4, 2, v_now);
  if (l.failed()) return;
  // [batch, 1, queries, keys]: a query sees what stands before it, and of a window the last `window` keys.
  const std::int64_t window = attribute(node, "local_window_size", std::int64_t{-1});
  std::vector<double> bias;
  for (const std::int64_t before : filled)
    for (std::int64_t row = 0; row < queries; ++row)
      for (std::int64_t column = 0; column < keys; ++column) {
        const std::int64_t at = before + row;
        const bool seen = column <= at && (window < 0 || column > at - window);
        bias.push_back(seen ? 0 : -std::numeric_limits<double>::infinity());
      }
  Scores scores{.scale = score_scale(l, size),
                .softcap = static_cast<double>(attribute(node, "softcap", 0.0f)),
                .biases = {l.constant(from_doubles(DType::f32, {batch, 1, queries, keys}, bias))}};
  if (l.has(10)) scores.biases.push_back(l.in(10));
  const SlotId mixed = attend(l, q, k, v, scores);
  if (l.failed()) return;
  l.resolve(l.out(), type, l.dims(l.in(0)));
  merge_heads(l, mixed, l.out());
}

}  // namespace

AEGIS_OP(group_query_attention) = {
    .name = "GroupQueryAttention",
    .domain = "com.microsoft",
    .cost = {.kind = CostClass::unknown},
    .pad = PadRow::unknown,
    .risk = Risk::gemm,
    .lower = lower_node,
};
