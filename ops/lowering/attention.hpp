// Scaled dot-product attention from primitives, shared by the attention operators of com.microsoft. (ONNX's own
// Attention runs by its body.)
#pragma once

#include <vector>

#include "ops/lower.hpp"

namespace aegis {

// [batch, length, heads * size] as [batch, heads, length, size]; a width that the heads do not divide rejects.
SlotId split_heads(Lowering& l, SlotId x, std::int64_t heads);
// The way back, into `out`.
void merge_heads(Lowering& l, SlotId x, SlotId out);
// past [batch, heads, p, size] and now [batch, heads, n, size] one after the other along the length, in `out` (no_slot:
// a temporary). Without a past `now` itself, copied when `out` is given.
SlotId after_past(Lowering& l, SlotId past, SlotId now, SlotId out);

// True where a query may look: column <= row + past. [rows, columns], a constant of the shape.
SlotId causal(Lowering& l, std::int64_t rows, std::int64_t columns, std::int64_t past);
// 0 where `keep` holds, `filter` elsewhere: what a mask adds to the scores.
SlotId mask_bias(Lowering& l, SlotId keep, double filter);

struct Attended {
  std::int64_t batch, queries, keys;
};
// What a padding mask adds to the scores: lengths [batch], with `starts` also ends and starts [2 * batch], or who may
// be looked at, [batch, keys] or [batch, queries, keys].
SlotId padding_bias(Lowering& l, SlotId mask, const Attended& of, double filter, bool starts);
// The attribute `scale`, or 1 / sqrt(size of a head).
double score_scale(const Lowering& l, std::int64_t size);

struct Scores {
  double scale = 1;
  double softcap = 0;          // above 0: softcap * tanh(score / softcap)
  std::vector<SlotId> biases;  // added in order; each broadcasts to [batch, heads, queries, keys]
};
// q [batch, heads, queries, size], k and v [batch, key heads, keys, size]; the heads are a multiple of the key heads.
// The result is [batch, heads, queries, size of v], of the compute type.
SlotId attend(Lowering& l, SlotId q, SlotId k, SlotId v, const Scores& scores);

}  // namespace aegis
